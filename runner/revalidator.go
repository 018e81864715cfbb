package runner

import (
	"context"
	"fmt"

	"github.com/stagehook/stagehook/runner/config"
	"github.com/stagehook/stagehook/runner/process"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// revalidate has the route confirmed. With several revalidators all must say
// fresh, and the last that names a route decides. One that names none confirms
// what the snapshot recommends; whether there is such a thing shows at the end.
func (s *state) revalidate(ctx context.Context, step config.Step, p *process.Process) error {
	routed := s.routed()
	if len(routed) != 1 {
		s.refuse(hook.Refusal{
			Code:   "task-unclear",
			Path:   s.path(),
			Detail: fmt.Sprintf("recommended_next names %d tasks; it must name one, whose records can confirm it", len(routed)),
		})
		return nil
	}
	task := s.task
	task.ID = routed[0]
	req := &hook.RevalidateRequest{Task: task, Snapshot: s.snapshot, Session: s.session}
	res, err := process.Call(ctx, p, s.runner.callTimeout(step.Plugin), p.Client().Revalidate, req)
	if err != nil {
		return err
	}
	if !res.Fresh() {
		s.refuse(res.Refusals...)
		return nil
	}
	if res.Route != nil {
		if err := res.Route.Check(); err != nil {
			return brokenProtocol(step, "its %v", err)
		}
	}
	if s.outcome.Revalidated == nil || res.Route != nil {
		s.outcome.Revalidated, s.outcome.RouteTaskID = res, task.ID
	}
	return nil
}

// checkRoute refuses the route of an event of that name when nobody was there to
// confirm it, or nothing was there to confirm.
func (s *state) checkRoute() {
	switch {
	case s.refuseDisplaced():
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

// refuseDisplaced refuses the route when a revalidator that the user's configuration
// asks was displaced by a workspace's file which the user has not trusted.
func (s *state) refuseDisplaced() bool {
	for _, step := range s.runner.config.Displaced() {
		if step.When != config.WhenRecordsOrProjection || s.event.Name == Route || s.claimsAuthority() {
			s.refuse(hook.Refusal{
				Code:   "revalidator-missing",
				Path:   "datarim/stagehook.yaml",
				Detail: "the file displaces the revalidator " + step.Plugin + ", and is not trusted to",
			})
			return true
		}
	}
	return false
}

// refuse ends the event: nobody may follow the route.
func (s *state) refuse(refusals ...hook.Refusal) {
	s.outcome.Result, s.halt = Refused, "the route was refused"
	s.outcome.Refusals = append(s.outcome.Refusals, refusals...)
}
