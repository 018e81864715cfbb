package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/sdktest"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

func TestHeadingStandsAboveTheAnswer(t *testing.T) {
	want := sdktest.Snapshot()
	want.Body = append([]byte("Draft\n\n"), want.Body...)
	sdktest.Writer(t, spec(), sdktest.WriterCase{
		Settings:  map[string]any{"heading": "Draft"},
		WantFiles: map[string]string{snapshot.Path(sdktest.TaskID): sdktest.SnapshotFile(want)},
	})
}

func TestHeadingOfTwoLinesIsRefused(t *testing.T) {
	sdktest.Writer(t, spec(), sdktest.WriterCase{
		Settings:    map[string]any{"heading": "a\nb"},
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
