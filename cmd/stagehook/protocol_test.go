package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	goplugin "github.com/hashicorp/go-plugin" //nolint:depguard // plays a plugin with versions that the SDK does not serve

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/host2plugin"
)

// versionedPlugin is a plugin of another time: it speaks the versions of the
// protocol that the first argument lists. All are like that of today.
func versionedPlugin(args []string) int {
	spec := &sdk.Spec{Name: "versioned", Version: "1.2.3", Revalidator: &testBehaviour{mode: "confirm"}}
	versions := map[int]goplugin.PluginSet{}
	for text := range strings.SplitSeq(args[0], ",") {
		version, err := strconv.Atoi(text)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		versions[version] = host2plugin.Plugins(spec)[hook.ProtocolVersion]
	}
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig:  host2plugin.Handshake(),
		VersionedPlugins: versions,
		GRPCServer:       goplugin.DefaultGRPCServer,
	})
	return 0
}
