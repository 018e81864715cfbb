package runner

import (
	"context"

	"github.com/stagehook/stagehook/runner/config"
	"github.com/stagehook/stagehook/runner/process"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
)

// revalidate has the route confirmed. With several revalidators all must say
// fresh, and the last that names a route decides.
func (s *state) revalidate(ctx context.Context, step config.Step, p *process.Process) error {
	req := &hook.RevalidateRequest{Task: s.task, Snapshot: s.snapshot}
	res, err := process.Call(ctx, p, s.runner.callTimeout(step.Plugin), p.Client().Revalidate, req)
	if err != nil {
		return err
	}
	if !res.Fresh() {
		s.refuse(res.Refusals...)
		return nil
	}
	if res.Route != nil {
		if err := identity.RecommendedNext(res.Route.Command); err != nil {
			return brokenProtocol(step, "its route: %v", err)
		}
	}
	if res.Route == nil && s.snapshot == nil {
		return brokenProtocol(step, "it confirms a recommendation, but there is no snapshot")
	}
	if s.outcome.Revalidated == nil || res.Route != nil {
		s.outcome.Revalidated = res
	}
	return nil
}

// refuse ends the event: nobody may follow the route.
func (s *state) refuse(refusals ...hook.Refusal) {
	s.outcome.Result, s.halt = Refused, "the route was refused"
	s.outcome.Refusals = append(s.outcome.Refusals, refusals...)
}
