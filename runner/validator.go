package runner

import (
	"context"
	"fmt"

	"github.com/stagehook/stagehook/runner/config"
	"github.com/stagehook/stagehook/runner/process"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// validate has the file of the task or session judged and read.
func (s *state) validate(ctx context.Context, step config.Step, p *process.Process) error {
	req := &hook.ValidateRequest{Task: s.task, Level: s.event.level()}
	res, err := process.Call(ctx, p, s.runner.callTimeout(step.Plugin), p.Client().Validate, req)
	if err != nil {
		return err
	}
	s.outcome.Validated = res
	s.snapshot, s.session = nil, nil // with several validators the last one counts
	switch res.Verdict {
	case hook.VerdictValid:
		if s.event.SessionID != "" {
			return s.readSession(step, res.Session)
		}
		return s.readSnapshot(step, res.Snapshot)
	case hook.VerdictMissing:
		return s.noSnapshot(Missing, s.noFile())
	default:
		s.outcome.Problem = res.Problem
		return s.noSnapshot(Malformed, fmt.Sprintf("it is malformed: %s", res.Problem.Code))
	}
}

// readSnapshot takes the snapshot that a validator has read.
func (s *state) readSnapshot(step config.Step, read *snapshot.Snapshot) error {
	if read == nil {
		return brokenProtocol(step, "it answered with a session for a task")
	}
	// At the schema level only the form counts, and nothing goes on from there.
	if read.TaskID != s.event.TaskID && s.event.level() == snapshot.LevelStrict {
		return brokenProtocol(step, "it answered for task %q", read.TaskID)
	}
	for _, err := range []error{identity.Command(read.Command), identity.RecommendedNext(read.RecommendedNext)} {
		if err != nil {
			return brokenProtocol(step, "%v", err)
		}
	}
	s.snapshot = read
	return nil
}

// readSession takes the session that a validator has read.
func (s *state) readSession(step config.Step, read *snapshot.Session) error {
	if read == nil {
		return brokenProtocol(step, "it answered with a snapshot for a session")
	}
	if read.SessionID != s.event.SessionID && s.event.level() == snapshot.LevelStrict {
		return brokenProtocol(step, "it answered for session %q", read.SessionID)
	}
	if err := identity.RecommendedNext(read.RecommendedNext); err != nil {
		return brokenProtocol(step, "%v", err)
	}
	s.session = read
	return nil
}

// noSnapshot ends an event that needs a valid snapshot. After a stage exit that
// has just written one it is a failure; a route can be asked for without a
// snapshot, but not with a malformed one.
func (s *state) noSnapshot(result Result, reason string) error {
	switch s.event.Name {
	case StageExit:
		if result == Malformed {
			return hook.Failf(hook.FailureIO, "the snapshot was written, but %s: %s", reason, s.outcome.Problem.Detail)
		}
		if s.outcome.Written == nil {
			return nil // no writer has run, which is told at the end
		}
		return hook.Failf(hook.FailureIO, "the snapshot was stored, but is gone: another process has archived or removed it, or the writer keeps it elsewhere")
	case Route:
		if result == Malformed {
			s.refuse(hook.Refusal{Code: "snapshot-malformed", Path: s.outcome.Validated.Path, Detail: reason + ": " + s.outcome.Problem.Detail})
		}
		return nil
	default:
		s.outcome.Result, s.halt = result, reason
		return nil
	}
}
