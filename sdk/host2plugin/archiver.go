package host2plugin

import (
	"context"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/fromproto"
	"github.com/stagehook/stagehook/sdk/internal/proto"
	"github.com/stagehook/stagehook/sdk/internal/toproto"
)

// Archive calls the plugin's [hook.Archiver].
func (c *Client) Archive(ctx context.Context, req *hook.ArchiveRequest) (*hook.ArchiveResult, error) {
	return call(ctx, toproto.ArchiveRequest(req), c.archiver.Archive, fromproto.ArchiveResult)
}

type archiverServer struct {
	proto.UnimplementedArchiverServer
	impl hook.Archiver
}

func (s *archiverServer) Archive(ctx context.Context, in *proto.ArchiveRequest) (*proto.ArchiveResponse, error) {
	return answer(ctx, in, fromproto.ArchiveRequest, s.impl.Archive, toproto.ArchiveResult)
}
