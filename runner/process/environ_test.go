//go:build unix

package process

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
	"go.uber.org/goleak"

	"github.com/stagehook/stagehook/sdk/host2plugin"
)

// setHostEnviron fills this process's environment with what plugins must not get.
func setHostEnviron(t *testing.T) {
	for _, variable := range []string{
		"GITHUB_TOKEN=secret", "AWS_SECRET_ACCESS_KEY=secret", "GIT_DIR=/elsewhere", "GIT_INDEX_FILE=/elsewhere",
		"PLUGIN_CLIENT_CERT=nested", "PLUGIN_UNIX_SOCKET_DIR=/elsewhere", "PLUGIN_PROTOCOL_VERSIONS=9",
		"STAGEHOOK_PLUGIN=nested", "STAGEHOOK_PLUGIN_LIFELINE=nested", "STAGEHOOK_PLUGIN_LOG=trace",
		"LD_PRELOAD=/elsewhere/x.so", "LD_LIBRARY_PATH=/elsewhere", "BASH_ENV=/elsewhere", "ENV=/elsewhere", "path=/elsewhere",
		"WANTED=a value = with signs", "EMPTY=",
		"HOME=/home/someone", "LANG=C", "XDG_STATE_HOME=/state", "DATARIM_RUNTIME=/runtime", "DATARIM_DISABLE_SNAPSHOT=0",
	} {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
}

func TestEnviron(t *testing.T) {
	setHostEnviron(t)
	pass := []string{"WANTED", "EMPTY", "ABSENT", "HOME", "PLUGIN_CLIENT_CERT", "STAGEHOOK_PLUGIN", "STAGEHOOK_PLUGIN_LOG", "STAGEHOOK_PLUGIN_LIFELINE", ""}
	got := Environ(pass, hclog.Warn)
	for _, variable := range []string{
		"WANTED=a value = with signs", "EMPTY=", "HOME=/home/someone", "LANG=C", "XDG_STATE_HOME=/state", "DATARIM_RUNTIME=/runtime",
		"STAGEHOOK_PLUGIN_LOG=warn",
	} {
		if !slices.Contains(got, variable) {
			t.Errorf("%s is missing in %q", variable, got)
		}
	}
	allowed := slices.Concat(host2plugin.Inherited(), []string{"WANTED", "EMPTY", "STAGEHOOK_PLUGIN_LOG"})
	var names []string
	for _, variable := range got {
		name, _, _ := strings.Cut(variable, "=")
		names = append(names, name)
		if !slices.Contains(allowed, name) {
			t.Errorf("%s is passed", variable)
		}
	}
	if slices.Sort(names); len(slices.Compact(names)) != len(got) {
		t.Errorf("a name is passed twice: %q", got)
	}
}

// What the process really gets is that and what the protocol adds.
func TestEnvironOfThePlugin(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	setHostEnviron(t)
	command := as("plugin", "environ")
	prompt, err := render(t.Context(), mustStart(t, openPool(t), command), patience)
	if err != nil {
		t.Fatal(err)
	}
	var environ []string
	if err := json.Unmarshal([]byte(prompt), &environ); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, variable := range environ {
		if slices.Contains(command.Environ, variable) {
			continue
		}
		name, _, _ := strings.Cut(variable, "=")
		got = append(got, name)
		if strings.Contains(variable, "elsewhere") || strings.Contains(variable, "nested") {
			t.Errorf("%s comes from the host", variable)
		}
	}
	slices.Sort(got)
	want := []string{
		"PLUGIN_MAX_PORT", "PLUGIN_MIN_PORT", "PLUGIN_PROTOCOL_VERSIONS", "PLUGIN_UNIX_SOCKET_DIR",
		"STAGEHOOK_PLUGIN", "STAGEHOOK_PLUGIN_LIFELINE",
	}
	if !slices.Equal(got, want) {
		t.Errorf("beside the allowed variables the plugin has %q; want %q", got, want)
	}
}
