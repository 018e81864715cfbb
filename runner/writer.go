package runner

import (
	"context"

	"github.com/stagehook/stagehook/runner/config"
	"github.com/stagehook/stagehook/runner/process"
	"github.com/stagehook/stagehook/sdk/hook"
)

// write has the answer stored.
func (s *state) write(ctx context.Context, step config.Step, p *process.Process) error {
	lockTimeout, limit, err := s.runner.lockLimits(step.Plugin)
	if err != nil {
		return err
	}
	req := &hook.WriteRequest{Task: s.task, Answer: *s.event.Answer, LockTimeout: lockTimeout}
	res, err := process.Call(ctx, p, limit, p.Client().Write, req)
	if err != nil {
		return err
	}
	s.outcome.Written = res
	s.outcome.Warnings = append(s.outcome.Warnings, res.Warnings...)
	return nil
}
