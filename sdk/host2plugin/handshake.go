package host2plugin

import (
	"context"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

// Name is the name under which go-plugin dispenses the [Client].
const Name = "stagehook"

// EnvLifeline names the variable that a host sets to "stdin" when it holds the
// other end of the plugin's standard input: the plugin ends when that input
// does, and so cannot outlive its host.
const EnvLifeline = "STAGEHOOK_PLUGIN_LIFELINE"

// Handshake returns what host and plugin must agree on before they talk.
func Handshake() goplugin.HandshakeConfig {
	return goplugin.HandshakeConfig{
		ProtocolVersion:  hook.ProtocolVersion,
		MagicCookieKey:   hook.CookieKey,
		MagicCookieValue: hook.CookieValue,
	}
}

// Plugins returns go-plugin's table of protocol versions. A plugin passes its
// spec, a host passes nil.
func Plugins(spec *hook.Spec) map[int]goplugin.PluginSet {
	return map[int]goplugin.PluginSet{
		hook.ProtocolVersion: {Name: &Plugin{spec: spec}},
	}
}

// Plugin ties the services to go-plugin. Get it from [Plugins].
type Plugin struct {
	goplugin.NetRPCUnsupportedPlugin
	spec *hook.Spec
}

var _ goplugin.GRPCPlugin = (*Plugin)(nil)

// GRPCServer registers the services that the spec implements.
func (p *Plugin) GRPCServer(_ *goplugin.GRPCBroker, server *grpc.Server) error {
	Register(server, p.spec)
	return nil
}

// GRPCClient returns a [*Client] on the connection.
func (p *Plugin) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return NewClient(conn), nil
}

// Register adds the services that the spec implements to a gRPC server.
func Register(server *grpc.Server, spec *hook.Spec) {
	proto.RegisterPluginServer(server, &pluginServer{spec: spec})
	if spec.Writer != nil {
		proto.RegisterWriterServer(server, &writerServer{impl: spec.Writer})
	}
	if spec.Validator != nil {
		proto.RegisterValidatorServer(server, &validatorServer{impl: spec.Validator})
	}
	if spec.Revalidator != nil {
		proto.RegisterRevalidatorServer(server, &revalidatorServer{impl: spec.Revalidator})
	}
	if spec.Renderer != nil {
		proto.RegisterRendererServer(server, &rendererServer{impl: spec.Renderer})
	}
	if spec.Archiver != nil {
		proto.RegisterArchiverServer(server, &archiverServer{impl: spec.Archiver})
	}
	if spec.Observer != nil {
		proto.RegisterObserverServer(server, &observerServer{impl: spec.Observer})
	}
}
