package main

import (
	"fmt"
	"os"

	"github.com/stagehook/stagehook/plugins"
	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
)

// pluginCommand is the hidden command under which this program serves one of its
// built-in plugins to a runner. It is handled before anything of the command
// line is set up, to keep the start of a plugin short.
const pluginCommand = "plugin"

// servesPlugin reports whether a runner, or somebody who wants a description, has
// started the program. Anyone else may have meant "plugins".
func servesPlugin(args []string) bool {
	return len(args) >= 2 && args[0] == pluginCommand &&
		(os.Getenv(hook.CookieKey) == hook.CookieValue || args[len(args)-1] == "describe")
}

func servePlugin(name string) int {
	spec := plugins.Find(name)
	if spec == nil {
		fmt.Fprintf(os.Stderr, "no built-in plugin is named %q\n", name)
		return 1
	}
	return sdk.Serve(spec)
}
