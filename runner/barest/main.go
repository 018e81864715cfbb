// Barest is the barest go-plugin host that still does what a hook runner must:
// it starts as many plugin processes as its argument says, side by side, calls
// each once, and ends them. The time of a whole stagehook command is measured
// against it.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
)

var handshake = goplugin.HandshakeConfig{ProtocolVersion: 1, MagicCookieKey: "BAREST", MagicCookieValue: "plugin"}

// plugin serves nothing beyond what go-plugin itself serves.
type plugin struct {
	goplugin.NetRPCUnsupportedPlugin
}

func (plugin) GRPCServer(*goplugin.GRPCBroker, *grpc.Server) error { return nil }

func (plugin) GRPCClient(context.Context, *goplugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, nil
}

func main() {
	plugins := goplugin.PluginSet{"barest": plugin{}}
	off := hclog.New(&hclog.LoggerOptions{Level: hclog.Off})
	if os.Getenv(handshake.MagicCookieKey) != "" {
		goplugin.Serve(&goplugin.ServeConfig{
			HandshakeConfig: handshake, Plugins: plugins, Logger: off, GRPCServer: goplugin.DefaultGRPCServer,
		})
		return
	}
	count, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fail(err)
	}
	clients := make([]*goplugin.Client, count)
	each := func(do func(client *goplugin.Client)) {
		var all sync.WaitGroup
		for _, client := range clients {
			all.Go(func() { do(client) })
		}
		all.Wait()
	}
	for i := range clients {
		clients[i] = goplugin.NewClient(&goplugin.ClientConfig{
			HandshakeConfig: handshake, Plugins: plugins, Logger: off, SkipHostEnv: true,
			Cmd: exec.Command(os.Args[0]), AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		})
	}
	each(func(client *goplugin.Client) {
		protocol, err := client.Client()
		if err == nil {
			err = protocol.Ping()
		}
		if err != nil {
			fail(err)
		}
	})
	each((*goplugin.Client).Kill)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
