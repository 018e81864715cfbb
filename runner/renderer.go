package runner

import (
	"context"
	"strings"

	"github.com/stagehook/stagehook/runner/config"
	"github.com/stagehook/stagehook/runner/process"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
)

// render has the prompt made. What the configuration lists before it does not
// matter here: what claims authority is never rendered without a revalidator's
// word.
func (s *state) render(ctx context.Context, step config.Step, p *process.Process) error {
	if s.outcome.Revalidated == nil && s.claimsAuthority() {
		s.refuse(hook.Refusal{
			Code:   "revalidator-missing",
			Detail: "the task has records, or what is resumed a projection, and no revalidator of the configuration has confirmed the route",
		})
		return nil
	}
	if s.refuseDisplaced() {
		return nil
	}
	req := &hook.RenderRequest{Task: s.task, Snapshot: s.snapshot, Session: s.session, Route: s.outcome.Route()}
	res, err := process.Call(ctx, p, s.runner.callTimeout(step.Plugin), p.Client().Render, req)
	if err != nil {
		return err
	}
	if len(res.Prompt) == 0 {
		return brokenProtocol(step, "its prompt is empty")
	}
	for field, line := range map[string]string{"command": res.Command, "purpose": res.Purpose} {
		if err := identity.Line(field, line); err != nil {
			return brokenProtocol(step, "%v", err)
		}
	}
	if word, _, _ := strings.Cut(res.Command, " "); identity.Command(word) != nil {
		return brokenProtocol(step, "its command %q is none", res.Command)
	}
	s.outcome.Rendered = res
	return nil
}
