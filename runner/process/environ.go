package process

import (
	"os"
	"runtime"
	"slices"

	"github.com/hashicorp/go-hclog"

	"github.com/stagehook/stagehook/sdk/hook"
)

// inherited are the variables that every plugin gets. The rest stays out: a
// host's environment holds tokens, and variables such as GIT_DIR or PLUGIN_*
// that would steer a child. DATARIM_RUNTIME is the folder of the pipeline's own
// tools, where a plugin finds them; it is no secret.
var inherited = []string{
	"PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE", "TZ",
	"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "DATARIM_RUNTIME",
}

// inheritedWindows are the variables without which Windows programs fail to
// start or to find the user's folders.
var inheritedWindows = []string{"SystemRoot", "SystemDrive", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PATHEXT"}

// Environ returns the environment of a plugin process: the fixed allow-list and
// the variables named in pass, as far as they are set, and the log level. A name
// that go-plugin or the SDK uses for itself is never passed.
func Environ(pass []string, level hclog.Level) []string {
	names := slices.Concat(inherited, pass)
	if runtime.GOOS == "windows" {
		names = append(names, inheritedWindows...)
	}
	slices.Sort(names)
	environ := []string{hook.EnvLogLevel + "=" + level.String()}
	for _, name := range slices.Compact(names) {
		if hook.IsProtocolVariable(name) {
			continue
		}
		if value, ok := os.LookupEnv(name); ok {
			environ = append(environ, name+"="+value)
		}
	}
	return environ
}
