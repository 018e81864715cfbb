// Command my-plugin is a renderer that makes the prompt of the built-in one, with
// a line of its own at the end.
package main

import (
	"context"
	"os"

	"github.com/stagehook/stagehook/plugins/renderer"
	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/identity"
)

func main() { os.Exit(sdk.Serve(spec())) }

func spec() *sdk.Spec {
	p := &plugin{next: renderer.Spec().Renderer}
	return &sdk.Spec{Name: "my-plugin", Version: "0.1.0", Settings: p, Stateless: true, Renderer: p}
}

// plugin holds the settings, which begin with their defaults.
type plugin struct {
	Closing string `json:"closing" jsonschema:"line that each prompt ends with; empty for none"`

	next sdk.Renderer
}

// Validate refuses settings that make no sense.
func (p *plugin) Validate() error { return identity.Line("closing", p.Closing) }

// Render makes the prompt.
func (p *plugin) Render(ctx context.Context, req *sdk.RenderRequest) (*sdk.RenderResult, error) {
	result, err := p.next.Render(ctx, req)
	if err == nil && p.Closing != "" {
		result.Prompt = append(result.Prompt, "\n"+p.Closing+"\n"...)
	}
	return result, err
}
