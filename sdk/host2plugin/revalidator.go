package host2plugin

import (
	"context"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/fromproto"
	"github.com/stagehook/stagehook/sdk/internal/proto"
	"github.com/stagehook/stagehook/sdk/internal/toproto"
)

// Revalidate calls the plugin's [hook.Revalidator].
func (c *Client) Revalidate(ctx context.Context, req *hook.RevalidateRequest) (*hook.RevalidateResult, error) {
	return call(ctx, toproto.RevalidateRequest(req), c.revalidator.Revalidate, fromproto.RevalidateResult)
}

type revalidatorServer struct {
	proto.UnimplementedRevalidatorServer
	impl hook.Revalidator
}

func (s *revalidatorServer) Revalidate(ctx context.Context, in *proto.RevalidateRequest) (*proto.RevalidateResponse, error) {
	return answer(ctx, in, fromproto.RevalidateRequest, s.revalidate, toproto.RevalidateResult)
}

// revalidate catches a result that says nothing while its author can still be
// told.
func (s *revalidatorServer) revalidate(ctx context.Context, req *hook.RevalidateRequest) (*hook.RevalidateResult, error) {
	res, err := s.impl.Revalidate(ctx, req)
	if err == nil && res != nil && !res.Fresh() && len(res.Refusals) == 0 {
		return nil, hook.Failf(hook.FailureInternal, "its result is neither fresh, since CheckedAt is not set, nor has it Refusals")
	}
	return res, err
}
