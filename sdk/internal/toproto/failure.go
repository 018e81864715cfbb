package toproto

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

// A status travels in HTTP/2 headers, of which gRPC peers accept 8 KiB in all,
// and its message twice, in one of them percent-encoded. So the status itself
// gets an excerpt and the detail the whole line; the sizes leave room for the
// encodings.
const (
	maxStatusBytes = 256
	maxHintBytes   = 512
)

// Failure turns the error of a plugin's method into a gRPC status error. A
// [*hook.Failure] keeps code, text and hint; an [*identity.ValueError] counts as
// [hook.FailureArgument], an error of the operating system as [hook.FailureIO],
// anything else as [hook.FailureInternal]. A context's error becomes gRPC's own
// code for it. Failure of nil is nil.
func Failure(err error) error {
	if err == nil {
		return nil
	}
	failure := classify(err)
	if failure == nil {
		return status.Error(status.FromContextError(err).Code(), identity.Shorten(line(err.Error()), maxStatusBytes))
	}
	detail := &proto.Failure{
		Code:    string(failure.Code),
		Message: line(failure.Message),
		Hint:    identity.Shorten(line(failure.Hint), maxHintBytes),
	}
	plain := status.New(statusCode(failure.Code), identity.Shorten(detail.Message, maxStatusBytes))
	detailed, err := plain.WithDetails(detail)
	if err != nil {
		return plain.Err()
	}
	return detailed.Err()
}

// classify returns nil for a context's error.
func classify(err error) *hook.Failure {
	var (
		failure *hook.Failure
		value   *identity.ValueError
	)
	switch {
	case errors.As(err, &failure):
		// The text is the whole chain's: what was wrapped around the failure
		// says where it happened.
		return &hook.Failure{Code: known(failure.Code), Message: err.Error(), Hint: failure.Hint}
	case errors.As(err, &value):
		return &hook.Failure{Code: hook.FailureArgument, Message: err.Error()}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return nil
	case isIO(err):
		return &hook.Failure{Code: hook.FailureIO, Message: err.Error()}
	}
	return &hook.Failure{Code: hook.FailureInternal, Message: err.Error()}
}

// known keeps the codes of the protocol and takes any other for internal.
func known(code hook.FailureCode) hook.FailureCode {
	switch code {
	case hook.FailureArgument, hook.FailureIO, hook.FailureLockTimeout:
		return code
	}
	return hook.FailureInternal
}

// isIO knows the errors of package os. Some wrap no errno: a closed file, or a
// path that leaves an [os.Root].
func isIO(err error) bool {
	var (
		path  *fs.PathError
		link  *os.LinkError
		errno syscall.Errno
	)
	return errors.As(err, &path) || errors.As(err, &link) || errors.As(err, &errno) ||
		errors.Is(err, io.ErrShortWrite)
}

// statusCode is for the logs of gRPC tools; a host goes by the detail.
func statusCode(code hook.FailureCode) codes.Code {
	switch code {
	case hook.FailureArgument:
		return codes.InvalidArgument
	case hook.FailureLockTimeout:
		return codes.Aborted
	}
	return codes.Internal
}
