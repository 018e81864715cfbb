//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stagehook/stagehook/plugins"
	"github.com/stagehook/stagehook/sdk/sdktest"
)

// The built-in plugins keep the rules that strangers' plugins are held to, in the
// processes that a runner starts.
func TestBuiltinsConform(t *testing.T) {
	stagehook, err := exec.LookPath("stagehook") // the test binary, by testscript
	if err != nil {
		t.Fatal(err)
	}
	settings := map[string]any{"exec": map[string]any{"command": []string{"true"}}}
	for _, spec := range plugins.Builtins() {
		t.Run(spec.Name, func(t *testing.T) {
			t.Parallel()
			// The race detector would delay the end of a process by a second.
			sdktest.Conform(t, settings[spec.Name], "env", "GORACE=atexit_sleep_ms=0", stagehook, pluginCommand, spec.Name)
		})
	}
}

// So does the example, built as a stranger would build it.
func TestExampleConforms(t *testing.T) {
	freeze := filepath.Join(t.TempDir(), "freeze")
	build := exec.Command("go", "build", "-o", freeze, "./freeze")
	build.Dir = filepath.Join("..", "..", "examples")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		t.Fatal(err)
	}
	sdktest.Conform(t, nil, freeze)
	sdktest.Conform(t, map[string]any{"file": "datarim/tasks.md"}, freeze)
}
