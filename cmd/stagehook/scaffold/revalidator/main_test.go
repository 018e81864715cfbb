package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/sdktest"
)

func TestOldSnapshotIsRefused(t *testing.T) {
	got := sdktest.Revalidator(t, spec(), sdktest.RevalidatorCase{
		Settings: map[string]any{"max_hours": 48},
		Request:  sdk.RevalidateRequest{Snapshot: sdktest.Snapshot()}, // from May 2026
	})
	if len(got.Refusals) != 1 || got.Refusals[0].Code != "too-old" {
		t.Errorf("the refusals are %v", got.Refusals)
	}
}

func TestTaskWithoutSnapshotIsFresh(t *testing.T) {
	sdktest.Revalidator(t, spec(), sdktest.RevalidatorCase{Want: &sdk.RevalidateResult{}})
}

func TestZeroHoursAreRefused(t *testing.T) {
	sdktest.Revalidator(t, spec(), sdktest.RevalidatorCase{
		Settings:    map[string]any{"max_hours": 0},
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
