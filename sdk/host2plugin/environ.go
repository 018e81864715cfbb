package host2plugin

import (
	"os"
	"runtime"
	"slices"

	"github.com/stagehook/stagehook/sdk/hook"
)

// Inherited are the variables that every plugin gets from its host. The rest stays
// out: a host's environment holds tokens, and variables such as GIT_DIR or PLUGIN_*
// that would steer a child. DATARIM_RUNTIME is the folder of the pipeline's own
// tools, where a plugin finds them; it is no secret. On Windows those are added
// without which programs fail to start or to find the user's folders.
func Inherited() []string {
	names := []string{
		"PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE", "TZ",
		"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "DATARIM_RUNTIME",
	}
	if runtime.GOOS == "windows" {
		names = append(names, "SystemRoot", "SystemDrive", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PATHEXT")
	}
	return names
}

// Environ returns the variables named by [Inherited] and in pass, as far as they
// are set, each once. A name that go-plugin or the SDK uses for itself is never
// passed.
func Environ(pass []string) []string {
	names := slices.Concat(Inherited(), pass)
	slices.Sort(names)
	var environ []string
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
