package hook

import (
	"context"

	"github.com/stagehook/stagehook/sdk/snapshot"
)

// Renderer makes the prompt that replays a stage's answer.
type Renderer interface {
	Render(ctx context.Context, req *RenderRequest) (*RenderResult, error)
}

// RenderRequest asks for the replay prompt of a validated snapshot.
type RenderRequest struct {
	Task     Task
	Snapshot *snapshot.Snapshot
	// Route is the fresh route, which goes before the snapshot's own
	// recommendation; nil when no revalidator named one.
	Route *Route
}

// Check reports whether the task passes the grammar.
func (r *RenderRequest) Check() error { return r.Task.Check() }

// RenderResult is the prompt and the two lines it begins with.
type RenderResult struct {
	Command string // the prompt's first line
	Purpose string // the prompt's second line
	Prompt  []byte // the whole prompt
}
