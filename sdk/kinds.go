package sdk

import (
	"context"

	"github.com/hashicorp/go-hclog"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// A plugin's description of itself, and what every request names.
type (
	Spec  = hook.Spec
	Task  = hook.Task
	Rules = hook.Rules
)

// What was read and found valid: a task's snapshot, or a session's artefact.
type (
	Snapshot = snapshot.Snapshot
	Session  = snapshot.Session
)

// The writer stores the answer of a stage.
type (
	Writer       = hook.Writer
	WriteRequest = hook.WriteRequest
	WriteResult  = hook.WriteResult
	Answer       = hook.Answer
)

// The validator judges and reads a task's snapshot or a session's artefact.
type (
	Validator       = hook.Validator
	ValidateRequest = hook.ValidateRequest
	ValidateResult  = hook.ValidateResult
)

// The revalidator decides whether a route is still allowed.
type (
	Revalidator       = hook.Revalidator
	RevalidateRequest = hook.RevalidateRequest
	RevalidateResult  = hook.RevalidateResult
	Route             = hook.Route
	Token             = hook.Token
	Refusal           = hook.Refusal
)

// The renderer makes the replay prompt.
type (
	Renderer      = hook.Renderer
	RenderRequest = hook.RenderRequest
	RenderResult  = hook.RenderResult
)

// The archiver moves the last snapshot of a task away.
type (
	Archiver       = hook.Archiver
	ArchiveRequest = hook.ArchiveRequest
	ArchiveResult  = hook.ArchiveResult
)

// The observer is told of finished events.
type (
	Observer       = hook.Observer
	ObserveRequest = hook.ObserveRequest
	StepReport     = hook.StepReport
)

// Failure is an error that keeps its meaning on the way to the host. Make one
// with [Failf].
type (
	Failure     = hook.Failure
	FailureCode = hook.FailureCode
)

// What went wrong, for the host to choose its exit code by.
const (
	FailureArgument    = hook.FailureArgument
	FailureIO          = hook.FailureIO
	FailureLockTimeout = hook.FailureLockTimeout
	FailureInternal    = hook.FailureInternal
)

// Failf makes a [Failure] from a format, as [fmt.Sprintf] does.
func Failf(code FailureCode, format string, args ...any) *Failure {
	return hook.Failf(code, format, args...)
}

// Logger returns the logger of a call. What it writes reaches the host's log,
// at the level that the host asked for.
func Logger(ctx context.Context) hclog.Logger { return hclog.FromContext(ctx) }
