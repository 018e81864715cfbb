package runner

import (
	"context"

	"github.com/stagehook/stagehook/runner/config"
	"github.com/stagehook/stagehook/runner/process"
	"github.com/stagehook/stagehook/sdk/hook"
)

// archive has the snapshot moved away.
func (s *state) archive(ctx context.Context, step config.Step, p *process.Process) error {
	lockTimeout, err := s.runner.lockTimeout()
	if err != nil {
		return err
	}
	req := &hook.ArchiveRequest{Task: s.task, Event: string(s.event.Name), LockTimeout: lockTimeout}
	limit := lockTimeout + s.runner.callTimeout(step.Plugin)
	res, err := process.Call(ctx, p, limit, p.Client().Archive, req)
	if err != nil {
		return err
	}
	s.outcome.Archived = res
	s.outcome.Warnings = append(s.outcome.Warnings, res.Warnings...)
	return nil
}
