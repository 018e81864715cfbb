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

// So do the examples, built as a stranger would build them.
func TestExamplesConform(t *testing.T) {
	for name, settings := range map[string]map[string]any{
		"freeze":  {"file": "datarim/tasks.md"},
		"redact":  nil,
		"journal": nil,
		"policy":  {"url": "http://127.0.0.1:1/"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program := filepath.Join(t.TempDir(), name)
			build := exec.Command("go", "build", "-o", program, ".")
			build.Dir = filepath.Join("..", "..", "examples", name)
			build.Stderr = os.Stderr
			if err := build.Run(); err != nil {
				t.Fatal(err)
			}
			sdktest.Conform(t, settings, program)
		})
	}
}
