// Command my-plugin is an archiver that archives as the built-in one does, once a
// file says that the task is done.
package main

import (
	"context"
	"os"
	"strings"

	"github.com/stagehook/stagehook/plugins/archiver"
	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/workspace"
)

func main() { os.Exit(sdk.Serve(spec())) }

func spec() *sdk.Spec {
	p := &plugin{next: archiver.Spec().Archiver}
	return &sdk.Spec{Name: "my-plugin", Version: "0.1.0", Settings: p, Stateless: true, Archiver: p}
}

// plugin holds the settings, which begin with their defaults.
type plugin struct {
	Require string `json:"require" jsonschema:"path, from the root, of the file that must exist; {task} in it is the task's ID; empty for none"`

	next sdk.Archiver
}

// Validate refuses settings that make no sense.
func (p *plugin) Validate() error { return identity.Line("require", p.Require) }

// Archive moves the snapshot away, if the file exists.
func (p *plugin) Archive(ctx context.Context, req *sdk.ArchiveRequest) (*sdk.ArchiveResult, error) {
	if p.Require != "" {
		ws, err := workspace.Open(req.Task.Root)
		if err != nil {
			return nil, sdk.FailIO(err)
		}
		defer ws.Close()
		file := strings.ReplaceAll(p.Require, "{task}", req.Task.ID)
		exists, err := ws.Exists(file)
		if err != nil {
			return nil, sdk.FailIO(err)
		}
		if !exists {
			return nil, sdk.Failf(sdk.FailureIO, "%s is not archived before there is %s", req.Task.ID, file)
		}
	}
	return p.next.Archive(ctx, req)
}
