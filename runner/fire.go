package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/stagehook/stagehook/runner/config"
	"github.com/stagehook/stagehook/runner/process"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/snapshot"
	"github.com/stagehook/stagehook/sdk/workspace"
)

// state is what flows through the steps of one event.
type state struct {
	runner    *Runner
	event     Event
	workspace *workspace.Workspace
	task      hook.Task
	outcome   *Outcome
	start     time.Time
	starting  map[string]*process.Starting // by plugin
	snapshot  *snapshot.Snapshot           // once a validator has read it
	session   *snapshot.Session            // likewise, for an event of a session
	exists    *bool                        // see snapshotExists
	authority bool                         // see claimsAuthority
	halt      string                       // why the remaining steps are skipped
}

// Fire runs the steps of an event and returns what became of it. A verdict such
// as "malformed" or "refused" is an outcome; an error means that a step failed,
// and the outcome then tells how far the event came.
//
// Errors for callers to branch on: [*identity.ValueError] and
// [*workspace.RootError] for a refused argument, [*hook.Failure] for what a
// plugin reports, [*process.Error] for a plugin that could not be started,
// crashed, timed out or broke the protocol, [*config.UntrustedError] for a
// program that the user has not trusted, [*config.Error] for steps that cannot
// give what the event is for, [process.ErrClosed] after Close, and the context's
// error.
func (r *Runner) Fire(ctx context.Context, event Event) (*Outcome, error) {
	begin := time.Now()
	if event.Answer != nil && event.Answer.CapturedAt.IsZero() {
		answer := *event.Answer
		answer.CapturedAt = begin.UTC().Truncate(time.Second)
		event.Answer = &answer
	}
	outcome := &Outcome{Event: event, Result: Done, Started: begin.UTC()}
	err := r.fire(ctx, outcome, begin)
	outcome.Elapsed = time.Since(begin)
	if err != nil {
		outcome.Result = Failed
	}
	return outcome, err
}

func (r *Runner) fire(ctx context.Context, outcome *Outcome, begin time.Time) error {
	event := outcome.Event
	if err := event.check(r.grammar); err != nil {
		return err
	}
	if err := event.checkRoot(); err != nil {
		return err
	}
	ws, err := workspace.Open(event.Root)
	if err != nil {
		return err
	}
	defer ws.Close()
	s := &state{
		runner:    r,
		event:     event,
		start:     begin,
		workspace: ws,
		task:      hook.Task{Root: ws.Root(), ID: event.TaskID, SessionID: event.SessionID, Rules: r.rules()},
		outcome:   outcome,
		starting:  map[string]*process.Starting{},
	}
	return s.run(ctx, r.steps(event.Name))
}

// run starts every process that the event needs and then takes the steps in
// order. Observers come last, wherever they are listed: they are told of the
// finished outcome.
func (s *state) run(ctx context.Context, steps []config.Step) error {
	for _, step := range s.predict(steps) {
		_ = s.begin(step.Plugin) // the step that needs it repeats the error
	}
	var observers []config.Step
	var err error
	for _, step := range steps {
		if step.Kind == hook.KindObserver {
			observers = append(observers, step)
			continue
		}
		if err = s.take(ctx, step); err != nil {
			s.halt = "an earlier step failed"
			break
		}
	}
	if err == nil {
		err = s.conclude()
	}
	for _, step := range observers {
		s.observe(ctx, step, err)
	}
	return err
}

// take runs one step, or reports why not.
func (s *state) take(ctx context.Context, step config.Step) error {
	report := hook.StepReport{Kind: step.Kind, Plugin: step.Plugin}
	defer func() { s.outcome.Steps = append(s.outcome.Steps, report) }()

	report.Skipped = s.skip(step)
	if report.Skipped != "" {
		return nil
	}
	p, err := s.process(ctx, step, &report)
	if err != nil {
		report.Failed = err.Error()
		return err
	}
	begin := time.Now()
	err = s.call(ctx, step, p)
	report.Call = time.Since(begin)
	var failure *hook.Failure
	if errors.As(err, &failure) {
		err = fmt.Errorf("plugin %s: %w", step.Plugin, err)
	}
	if err != nil {
		report.Failed = err.Error()
	}
	s.runner.log.Debug("step", "event", s.event.Name, "kind", step.Kind, "plugin", step.Plugin, "error", err)
	return err
}

// skip returns why the step does not run, empty when it does.
func (s *state) skip(step config.Step) string {
	if s.halt != "" {
		return s.halt
	}
	if !s.hasRead() && s.needsFile(step) {
		return s.noFile()
	}
	return s.unmet(step)
}

// begin begins to start a plugin's process, once in an event: a start that has
// failed is not tried again by the step that waits for it.
func (s *state) begin(plugin string) error {
	if s.starting[plugin] != nil {
		return nil
	}
	command, err := s.runner.Command(plugin)
	if err != nil {
		return err
	}
	s.starting[plugin] = s.runner.pool.Start(command)
	return nil
}

// process returns the step's process, which must serve the step's kind.
func (s *state) process(ctx context.Context, step config.Step, report *hook.StepReport) (*process.Process, error) {
	if err := s.begin(step.Plugin); err != nil {
		return nil, err
	}
	p, err := s.starting[step.Plugin].Wait(ctx)
	if err != nil {
		return nil, err
	}
	report.PID, report.Start = p.PID(), p.StartTime()
	if !p.Serves(step.Kind) {
		return nil, &process.Error{Plugin: step.Plugin, What: fmt.Sprintf("serves no %s", step.Kind)}
	}
	return p, nil
}

// call makes the step's call.
func (s *state) call(ctx context.Context, step config.Step, p *process.Process) error {
	switch step.Kind {
	case hook.KindWriter:
		return s.write(ctx, step, p)
	case hook.KindValidator:
		return s.validate(ctx, step, p)
	case hook.KindRevalidator:
		return s.revalidate(ctx, step, p)
	case hook.KindRenderer:
		return s.render(ctx, step, p)
	case hook.KindArchiver:
		return s.archive(ctx, step, p)
	default:
		return fmt.Errorf("no event has a step of kind %q", step.Kind)
	}
}

// conclude decides the result of an event whose steps have not decided it.
func (s *state) conclude() error {
	if s.outcome.Result != Done {
		return nil
	}
	switch s.event.Name {
	case StageExit:
		if s.outcome.Written == nil {
			s.outcome.Result = Nothing
			s.outcome.Warnings = append(s.outcome.Warnings, "no writer has run: the answer was not stored")
		}
	case Resume, Validate:
		if !s.hasRead() {
			s.outcome.Result = Missing
		} else if s.event.Name == Resume && s.outcome.Rendered == nil {
			return &config.Error{Key: "events.resume", Msg: "no renderer has run, so there is no prompt"}
		}
	case Route:
		s.checkRoute()
	case Archive:
		if s.outcome.Archived == nil || !s.outcome.Archived.Archived {
			s.outcome.Result = Nothing
		}
	}
	return nil
}

// brokenProtocol is the error for an answer that no honest plugin gives.
func brokenProtocol(step config.Step, format string, args ...any) error {
	return &process.Error{Plugin: step.Plugin, What: "broke the protocol: " + fmt.Sprintf(format, args...)}
}
