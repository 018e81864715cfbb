package hook

import (
	"context"

	"github.com/stagehook/stagehook/sdk/snapshot"
)

// Renderer makes the prompt that replays a stage's answer or a session.
type Renderer interface {
	Render(ctx context.Context, req *RenderRequest) (*RenderResult, error)
}

// RenderRequest asks for the replay prompt of a validated file: of a task's
// snapshot or a session's artefact, of which one is set.
type RenderRequest struct {
	Task     Task
	Snapshot *snapshot.Snapshot
	Session  *snapshot.Session
	// Route is the fresh route, which goes before the file's own recommendation;
	// nil when no revalidator named one.
	Route *Route
}

// Check reports whether the task or session passes the grammar.
func (r *RenderRequest) Check() error { return r.Task.CheckSubject() }

// RenderResult is the prompt and the two lines it begins with.
type RenderResult struct {
	Command string // the prompt's first line
	Purpose string // the prompt's second line
	Prompt  []byte // the whole prompt
}
