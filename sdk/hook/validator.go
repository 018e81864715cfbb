package hook

import (
	"context"

	"github.com/stagehook/stagehook/sdk/snapshot"
)

// Validator judges a task's snapshot, or a session's artefact, and reads it.
type Validator interface {
	Validate(ctx context.Context, req *ValidateRequest) (*ValidateResult, error)
}

// Verdict is a [Validator]'s judgement.
type Verdict string

// The verdicts. Missing and malformed are ordinary answers, not errors.
const (
	VerdictValid     Verdict = "valid"
	VerdictMissing   Verdict = "missing"
	VerdictMalformed Verdict = "malformed"
)

// ValidateRequest asks for a verdict on a task's snapshot, or on the artefact of a
// session when the task names one.
type ValidateRequest struct {
	Task  Task
	Level snapshot.Level
}

// Check reports whether the task or session passes the grammar.
func (r *ValidateRequest) Check() error { return r.Task.CheckSubject() }

// ValidateResult is the verdict and, when it is valid, what was read.
type ValidateResult struct {
	Verdict  Verdict
	Path     string             // where the file is or would be, relative to the root
	Problem  *snapshot.Problem  // set when malformed
	Snapshot *snapshot.Snapshot // set when a task's snapshot is valid
	Session  *snapshot.Session  // set when a session's artefact is valid
}
