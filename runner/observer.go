package runner

import (
	"context"
	"time"

	"github.com/stagehook/stagehook/runner/config"
	"github.com/stagehook/stagehook/runner/process"
	"github.com/stagehook/stagehook/sdk/hook"
)

// observe tells an observer how the event ended. Whatever goes wrong here is a
// warning: the outcome stands.
func (s *state) observe(ctx context.Context, step config.Step, eventErr error) {
	report := hook.StepReport{Kind: step.Kind, Plugin: step.Plugin}
	defer func() { s.outcome.Steps = append(s.outcome.Steps, report) }()

	report.Skipped = s.unmet(step)
	if report.Skipped != "" {
		return
	}
	if ctx.Err() != nil {
		report.Skipped = "the event was interrupted"
		return
	}
	if err := s.tell(ctx, step, eventErr, &report); err != nil {
		report.Failed = err.Error()
		s.outcome.Warnings = append(s.outcome.Warnings, "observer: "+err.Error())
	}
}

func (s *state) tell(ctx context.Context, step config.Step, eventErr error, report *hook.StepReport) error {
	p, err := s.process(ctx, step, report)
	if err != nil {
		return err
	}
	req := &hook.ObserveRequest{
		Task:    s.task,
		Event:   string(s.event.Name),
		Result:  string(s.outcome.Result),
		Started: s.outcome.Started,
		Elapsed: time.Since(s.start),
		Steps:   s.outcome.Steps,
	}
	switch {
	case eventErr != nil:
		req.Result, req.Detail = string(Failed), eventErr.Error()
	case s.outcome.Problem != nil:
		req.Detail = s.outcome.Problem.Code
	case len(s.outcome.Refusals) > 0:
		req.Detail = s.outcome.Refusals[0].Code
	}
	observe := func(ctx context.Context, req *hook.ObserveRequest) (*struct{}, error) {
		return nil, p.Client().Observe(ctx, req)
	}
	begin := time.Now()
	_, err = process.Call(ctx, p, s.runner.callTimeout(step.Plugin), observe, req)
	report.Call = time.Since(begin)
	return err
}
