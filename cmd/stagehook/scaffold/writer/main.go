// Command my-plugin is a writer that stores what the built-in one stores, below a
// line of its own.
package main

import (
	"context"
	"os"
	"slices"

	"github.com/stagehook/stagehook/plugins/writer"
	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/identity"
)

func main() { os.Exit(sdk.Serve(spec())) }

func spec() *sdk.Spec {
	p := &plugin{next: writer.Spec().Writer}
	return &sdk.Spec{Name: "my-plugin", Version: "0.1.0", Settings: p, Stateless: true, Writer: p}
}

// plugin holds the settings, which begin with their defaults.
type plugin struct {
	Heading string `json:"heading" jsonschema:"line that stands above each answer; empty for none"`

	next sdk.Writer
}

// Validate refuses settings that make no sense.
func (p *plugin) Validate() error { return identity.Line("heading", p.Heading) }

// Write hands the answer on, with the heading.
func (p *plugin) Write(ctx context.Context, req *sdk.WriteRequest) (*sdk.WriteResult, error) {
	changed := *req
	if p.Heading != "" {
		changed.Answer.Body = slices.Concat([]byte(p.Heading+"\n\n"), req.Answer.Body)
	}
	return p.next.Write(ctx, &changed)
}
