// Freeze is a revalidator of a few lines: while the workspace has a file
// datarim/freeze, no route is fresh and no work goes on.
package main

import (
	"context"
	"os"
	"time"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/workspace"
)

func main() { os.Exit(sdk.Serve(spec())) }

func spec() *sdk.Spec {
	f := &freeze{File: "datarim/freeze"}
	return &sdk.Spec{Name: "freeze", Version: "1.0.0", Settings: f, Stateless: true, Revalidator: f}
}

// freeze holds the plugin's settings and their defaults.
type freeze struct {
	File string `json:"file" jsonschema:"path, from the root, of the file that stops all work"`
}

// Revalidate refuses while the file exists, and else confirms what the snapshot
// recommends.
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
		return &sdk.RevalidateResult{Refusals: []sdk.Refusal{
			{Code: "frozen", Path: f.File, Detail: "work on this project is stopped"},
		}}, nil
	}
	return &sdk.RevalidateResult{CheckedAt: time.Now().UTC()}, nil
}
