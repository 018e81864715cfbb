package runner_test

import (
	"testing"

	"github.com/stagehook/stagehook/runner"
)

// BenchmarkWarm times a resume whose plugins run already: two calls, of the
// validator and the renderer, and what the runner looks up in the workspace.
func BenchmarkWarm(b *testing.B) {
	r, root := newRunner(b, "")
	fire(b, r, runner.Event{Name: runner.StageExit, Root: root, Answer: answer("All done.\n")})
	resume := runner.Event{Name: runner.Resume, Root: root}
	fire(b, r, resume) // starts the renderer
	b.ReportAllocs()
	for b.Loop() {
		if outcome := fire(b, r, resume); outcome.Result != runner.Done {
			b.Fatalf("the resume is %s", outcome.Result)
		}
	}
}
