package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/sdktest"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

var files = map[string]string{snapshot.Path(sdktest.TaskID): sdktest.SnapshotFile(sdktest.Snapshot())}

func TestBodyWithTheTextIsValid(t *testing.T) {
	sdktest.Validator(t, spec(), sdktest.ValidatorCase{
		Settings: map[string]any{"require": "three steps"},
		Files:    files,
		Want:     &sdk.ValidateResult{Verdict: hook.VerdictValid, Path: snapshot.Path(sdktest.TaskID), Snapshot: sdktest.Snapshot()},
	})
}

func TestBodyWithoutTheTextIsMalformed(t *testing.T) {
	got := sdktest.Validator(t, spec(), sdktest.ValidatorCase{
		Settings: map[string]any{"require": "four steps"},
		Files:    files,
	})
	if got.Problem == nil || got.Problem.Code != "text-missing" {
		t.Errorf("the answer is %+v", got)
	}
}

func TestTextOfTwoLinesIsRefused(t *testing.T) {
	sdktest.Validator(t, spec(), sdktest.ValidatorCase{
		Settings:    map[string]any{"require": "a\nb"},
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
