package host2plugin

import (
	"context"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/fromproto"
	"github.com/stagehook/stagehook/sdk/internal/proto"
	"github.com/stagehook/stagehook/sdk/internal/toproto"
)

// Render calls the plugin's [hook.Renderer].
func (c *Client) Render(ctx context.Context, req *hook.RenderRequest) (*hook.RenderResult, error) {
	return call(ctx, toproto.RenderRequest(req), c.renderer.Render, fromproto.RenderResult)
}

type rendererServer struct {
	proto.UnimplementedRendererServer
	impl hook.Renderer
}

func (s *rendererServer) Render(ctx context.Context, in *proto.RenderRequest) (*proto.RenderResponse, error) {
	return answer(ctx, in, fromproto.RenderRequest, s.impl.Render, toproto.RenderResult)
}
