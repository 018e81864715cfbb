package sdktest_test

import (
	"context"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/sdktest"
	"github.com/stagehook/stagehook/sdk/snapshot"
	"github.com/stagehook/stagehook/sdk/workspace"
)

// t is the argument of a test; the examples show what stands in one.
var t *testing.T

// freeze refuses every route while a file exists.
type freeze struct {
	File string `json:"file"`
}

func spec() *sdk.Spec {
	f := &freeze{File: "datarim/freeze"}
	return &sdk.Spec{Name: "freeze", Version: "1.0.0", Settings: f, Revalidator: f}
}

func (f *freeze) Revalidate(_ context.Context, req *sdk.RevalidateRequest) (*sdk.RevalidateResult, error) {
	ws, err := workspace.Open(req.Task.Root)
	if err != nil {
		return nil, sdk.FailIO(err)
	}
	defer ws.Close()
	frozen, err := ws.Exists(f.File)
	if err != nil {
		return nil, sdk.FailIO(err)
	}
	if frozen {
		return &sdk.RevalidateResult{Refusals: []sdk.Refusal{{Code: "frozen", Path: f.File}}}, nil
	}
	return &sdk.RevalidateResult{CheckedAt: time.Now()}, nil
}

// The file is there, and the plugin must refuse.
func ExampleRevalidator() {
	sdktest.Revalidator(t, spec(), sdktest.RevalidatorCase{
		Files: map[string]string{"datarim/freeze": ""},
		Want:  &sdk.RevalidateResult{Refusals: []sdk.Refusal{{Code: "frozen", Path: "datarim/freeze"}}},
	})
}

// The plugin must be fresh, which is an answer without refusals, with settings as a
// configuration gives them.
func ExampleRevalidator_fresh() {
	sdktest.Revalidator(t, spec(), sdktest.RevalidatorCase{
		Settings: map[string]any{"file": "datarim/stop"},
		Files:    map[string]string{"datarim/freeze": ""},
		Request:  sdk.RevalidateRequest{Snapshot: sdktest.Snapshot()},
		Want:     &sdk.RevalidateResult{},
	})
}

// The plugin must refuse settings that it does not know.
func ExampleCase() {
	sdktest.Revalidator(t, spec(), sdktest.RevalidatorCase{
		Settings:    map[string]any{"flie": "datarim/stop"},
		WantFailure: sdk.FailureArgument,
	})
}

// A snapshot in the workspace, for a validator to find.
func ExampleSnapshotFile() {
	stored := sdktest.Snapshot()
	sdktest.Validator(t, spec(), sdktest.ValidatorCase{
		Files: map[string]string{snapshot.Path(sdktest.TaskID): sdktest.SnapshotFile(stored)},
		Want:  &sdk.ValidateResult{Verdict: "valid", Path: snapshot.Path(sdktest.TaskID), Snapshot: stored},
	})
}

// The built program, with every rule of the wire and of the process.
func ExampleConform() {
	sdktest.Conform(t, nil, "bin/freeze")
}
