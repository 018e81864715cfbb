package hook

import (
	"context"

	"github.com/stagehook/stagehook/sdk/snapshot"
)

// Validator judges a task's snapshot and reads it.
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

// ValidateRequest asks for a verdict on a task's snapshot.
type ValidateRequest struct {
	Task  Task
	Level snapshot.Level
}

// Check reports whether the task passes the grammar.
func (r *ValidateRequest) Check() error { return r.Task.Check() }

// ValidateResult is the verdict and, when it is valid, the snapshot.
type ValidateResult struct {
	Verdict  Verdict
	Path     string             // where the snapshot is or would be, relative to the root
	Problem  *snapshot.Problem  // set when malformed
	Snapshot *snapshot.Snapshot // set when valid
}
