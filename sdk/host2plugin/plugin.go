package host2plugin

import (
	"context"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/fromproto"
	"github.com/stagehook/stagehook/sdk/internal/proto"
	"github.com/stagehook/stagehook/sdk/internal/toproto"
)

// Configure hands the settings, a JSON object, to the plugin and returns what
// it says of itself. It is the first call on a process and comes once.
func (c *Client) Configure(ctx context.Context, settings []byte) (*hook.Description, error) {
	return call(ctx, &proto.ConfigureRequest{Settings: settings}, c.plugin.Configure, fromproto.Description)
}

type pluginServer struct {
	proto.UnimplementedPluginServer
	spec *hook.Spec

	mu         sync.Mutex
	configured bool
}

func (s *pluginServer) Configure(_ context.Context, in *proto.ConfigureRequest) (*proto.ConfigureResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.configured {
		return nil, status.Error(codes.FailedPrecondition, "already configured")
	}
	if err := s.spec.Configure(in.GetSettings()); err != nil {
		return nil, toproto.Failure(err)
	}
	s.configured = true
	return toproto.Description(s.spec), nil
}
