package runner

import (
	"context"

	"github.com/stagehook/stagehook/runner/config"
	"github.com/stagehook/stagehook/runner/process"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// revalidate has the route confirmed. With several revalidators all must say
// fresh, and the last that names a route decides. One that names none confirms
// what the snapshot recommends; whether there is such a thing shows at the end.
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
	if s.outcome.Revalidated == nil || res.Route != nil {
		s.outcome.Revalidated = res
	}
	return nil
}

// checkRoute refuses the route of an event of that name when nobody was there to
// confirm it, or nothing was there to confirm.
func (s *state) checkRoute() {
	switch {
	case s.outcome.Revalidated == nil:
		s.refuse(hook.Refusal{Code: "revalidator-missing", Detail: "the configuration has no revalidator for a resume"})
	case s.outcome.Route() == nil && s.snapshot == nil:
		s.refuse(hook.Refusal{
			Code:   "nothing-to-confirm",
			Path:   snapshot.Path(s.event.TaskID),
			Detail: "no revalidator has named a route, and there is no snapshot whose recommendation it could confirm",
		})
	}
}

// refuse ends the event: nobody may follow the route.
func (s *state) refuse(refusals ...hook.Refusal) {
	s.outcome.Result, s.halt = Refused, "the route was refused"
	s.outcome.Refusals = append(s.outcome.Refusals, refusals...)
}
