package main

import (
	"fmt"
	"os"

	"github.com/stagehook/stagehook/plugins"
	"github.com/stagehook/stagehook/sdk"
)

// pluginCommand is the hidden command under which this program serves one of its
// built-in plugins to a runner. It is handled before anything of the command
// line is set up, to keep the start of a plugin short.
const pluginCommand = "plugin"

func servePlugin(name string) int {
	spec := plugins.Find(name)
	if spec == nil {
		fmt.Fprintf(os.Stderr, "no built-in plugin is named %q\n", name)
		return 1
	}
	return sdk.Serve(spec)
}
