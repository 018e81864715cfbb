package host2plugin

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/fromproto"
	"github.com/stagehook/stagehook/sdk/internal/proto"
	"github.com/stagehook/stagehook/sdk/internal/toproto"
)

// Client calls one plugin process. Its methods return a [*hook.Failure] for a
// failure that the plugin reports, the context's error when that ended the
// call, a [*ProtocolError] for an answer that breaks the protocol, and gRPC's
// status error for everything else. It is safe for concurrent use.
type Client struct {
	plugin      proto.PluginClient
	writer      proto.WriterClient
	validator   proto.ValidatorClient
	revalidator proto.RevalidatorClient
	renderer    proto.RendererClient
	archiver    proto.ArchiverClient
	observer    proto.ObserverClient
}

// NewClient returns a client on a connection to a plugin.
func NewClient(conn grpc.ClientConnInterface) *Client {
	return &Client{
		plugin:      proto.NewPluginClient(conn),
		writer:      proto.NewWriterClient(conn),
		validator:   proto.NewValidatorClient(conn),
		revalidator: proto.NewRevalidatorClient(conn),
		renderer:    proto.NewRendererClient(conn),
		archiver:    proto.NewArchiverClient(conn),
		observer:    proto.NewObserverClient(conn),
	}
}

// ProtocolError says that a plugin's answer breaks the rules of the wire.
type ProtocolError struct {
	// Err says which rule.
	Err error
}

func (e *ProtocolError) Error() string { return "broke the protocol: " + e.Err.Error() }

// Unwrap returns the broken rule.
func (e *ProtocolError) Unwrap() error { return e.Err }

// call is one request from the host's end.
func call[In, Out, Res any](
	ctx context.Context,
	in *In,
	method func(context.Context, *In, ...grpc.CallOption) (*Out, error),
	decode func(*Out) (*Res, error),
) (*Res, error) {
	out, err := method(ctx, in)
	if err != nil {
		return nil, fromproto.Failure(err)
	}
	res, err := decode(out)
	if err != nil {
		return nil, &ProtocolError{Err: err}
	}
	return res, nil
}

// answer is one request at the plugin's end. The check comes before the
// implementation sees the request, so before any IO.
func answer[In, Req, Res, Out any, Checked interface {
	*Req
	Check() error
}](
	ctx context.Context,
	in *In,
	decode func(*In) (*Req, error),
	method func(context.Context, *Req) (*Res, error),
	encode func(*Res) *Out,
) (*Out, error) {
	req, err := decode(in)
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	if err := Checked(req).Check(); err != nil {
		return nil, toproto.Failure(err)
	}
	res, err := method(ctx, req)
	if err != nil {
		return nil, failed(ctx, err)
	}
	if res == nil {
		return nil, toproto.Failure(hook.Failf(hook.FailureInternal, "returned neither a result nor an error"))
	}
	return encode(res), nil
}

// failed turns the error of a plugin's method into a status. Canceled and
// overdue tell the host that the call's own context has ended; the error of
// another context, such as that of an HTTP client's timeout, is a failure.
func failed(ctx context.Context, err error) error {
	failure := toproto.Failure(err)
	switch status.Code(failure) {
	case codes.Canceled, codes.DeadlineExceeded:
		if ctx.Err() == nil {
			return toproto.Failure(hook.Failf(hook.FailureInternal, "%v", err))
		}
	}
	return failure
}
