package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/sdktest"
)

func TestPromptEndsWithTheClosing(t *testing.T) {
	got := sdktest.Renderer(t, spec(), sdktest.RendererCase{
		Settings: map[string]any{"closing": "Answer briefly."},
	})
	if !bytes.HasSuffix(got.Prompt, []byte("The plan has three steps.\n\nAnswer briefly.\n")) {
		t.Errorf("the prompt is %q", got.Prompt)
	}
}

func TestClosingOfTwoLinesIsRefused(t *testing.T) {
	sdktest.Renderer(t, spec(), sdktest.RendererCase{
		Settings:    map[string]any{"closing": "a\nb"},
		WantFailure: sdk.FailureArgument,
	})
}

func TestProgramKeepsTheRules(t *testing.T) {
	program := filepath.Join(t.TempDir(), "my-plugin")
	if output, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	sdktest.Conform(t, nil, program)
}
