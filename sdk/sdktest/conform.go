package sdktest

import (
	"encoding/json"
	"testing"

	"github.com/stagehook/stagehook/sdk/conformance"
)

// Conform checks a plugin's program by [conformance.Run] and reports to t each check
// that fails. The settings are as in a [Case]; the command is the program and its
// arguments. It takes some seconds.
func Conform(t testing.TB, settings any, command ...string) {
	t.Helper()
	plugin := conformance.Plugin{Command: command}
	if settings != nil {
		var err error
		if plugin.Settings, err = json.Marshal(settings); err != nil {
			t.Fatalf("the settings: %v", err)
		}
	}
	checks, err := conformance.Run(t.Context(), plugin)
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range checks {
		if !check.OK {
			t.Errorf("%s: %s", check.Name, check.Detail)
		}
	}
}
