package host2plugin

import (
	"context"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/fromproto"
	"github.com/stagehook/stagehook/sdk/internal/proto"
	"github.com/stagehook/stagehook/sdk/internal/toproto"
)

// Write calls the plugin's [hook.Writer].
func (c *Client) Write(ctx context.Context, req *hook.WriteRequest) (*hook.WriteResult, error) {
	return call(ctx, toproto.WriteRequest(req), c.writer.Write, fromproto.WriteResult)
}

type writerServer struct {
	proto.UnimplementedWriterServer
	impl hook.Writer
}

func (s *writerServer) Write(ctx context.Context, in *proto.WriteRequest) (*proto.WriteResponse, error) {
	return answer(ctx, in, fromproto.WriteRequest, s.impl.Write, toproto.WriteResult)
}
