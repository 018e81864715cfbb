package host2plugin

import (
	"context"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/fromproto"
	"github.com/stagehook/stagehook/sdk/internal/proto"
	"github.com/stagehook/stagehook/sdk/internal/toproto"
)

// Validate calls the plugin's [hook.Validator].
func (c *Client) Validate(ctx context.Context, req *hook.ValidateRequest) (*hook.ValidateResult, error) {
	return call(ctx, toproto.ValidateRequest(req), c.validator.Validate, fromproto.ValidateResult)
}

type validatorServer struct {
	proto.UnimplementedValidatorServer
	impl hook.Validator
}

func (s *validatorServer) Validate(ctx context.Context, in *proto.ValidateRequest) (*proto.ValidateResponse, error) {
	return answer(ctx, in, fromproto.ValidateRequest, s.impl.Validate, toproto.ValidateResult)
}
