package runner

import (
	"context"

	"github.com/stagehook/stagehook/runner/config"
	"github.com/stagehook/stagehook/runner/process"
	"github.com/stagehook/stagehook/sdk/hook"
)

// archive has the snapshot moved away.
func (s *state) archive(ctx context.Context, step config.Step, p *process.Process) error {
	lockTimeout, limit, err := s.runner.lockLimits(step.Plugin)
	if err != nil {
		return err
	}
	req := &hook.ArchiveRequest{Task: s.task, Event: string(s.event.Name), LockTimeout: lockTimeout}
	res, err := process.Call(ctx, p, limit, p.Client().Archive, req)
	if err != nil {
		return err
	}
	// With several archivers the first has moved what a later one no longer finds.
	if s.outcome.Archived == nil || res.Archived {
		s.outcome.Archived = res
	}
	s.outcome.Warnings = append(s.outcome.Warnings, res.Warnings...)
	return nil
}
