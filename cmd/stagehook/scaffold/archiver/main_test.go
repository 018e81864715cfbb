package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/sdktest"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

var (
	settings = map[string]any{"require": "done/{task}.md"}
	file     = sdktest.SnapshotFile(sdktest.Snapshot())
)

func TestTaskThatIsDoneIsArchived(t *testing.T) {
	got := sdktest.Archiver(t, spec(), sdktest.ArchiverCase{
		Settings: settings,
		Files:    map[string]string{snapshot.Path(sdktest.TaskID): file, "done/" + sdktest.TaskID + ".md": ""},
	})
	if !got.Archived {
		t.Errorf("the answer is %+v", got)
	}
}

func TestTaskThatIsNotDoneStays(t *testing.T) {
	sdktest.Archiver(t, spec(), sdktest.ArchiverCase{
		Settings:    settings,
		Files:       map[string]string{snapshot.Path(sdktest.TaskID): file},
		WantFailure: sdk.FailureIO,
		WantFiles:   map[string]string{snapshot.Path(sdktest.TaskID): file},
	})
}

func TestPathOfTwoLinesIsRefused(t *testing.T) {
	sdktest.Archiver(t, spec(), sdktest.ArchiverCase{
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
