package process

import (
	"github.com/hashicorp/go-hclog"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/host2plugin"
)

// Environ returns the environment of a plugin process: what [host2plugin.Environ]
// lets through, with the variables named in pass, and the log level.
func Environ(pass []string, level hclog.Level) []string {
	return append([]string{hook.EnvLogLevel + "=" + level.String()}, host2plugin.Environ(pass)...)
}
