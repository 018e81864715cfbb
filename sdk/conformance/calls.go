package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/workspace"
)

// callLimit is for one call. The runner allows 30 seconds by default.
const callLimit = 10 * time.Second

func callRules() []rule {
	return []rule{
		{name: "answer", check: each((*trial).answers), gate: true, holds: "each of its kinds answers a call"},
		{name: "undeclared-kind", check: checkUndeclared, holds: "a kind that it does not name is answered as unimplemented",
			applies: func(s *suite) bool { return len(s.undeclared()) > 0 }},
		{name: "task-id", check: each((*trial).refusesTaskID), holds: "an invalid task ID is refused as an argument before anything is read or written"},
		{name: "empty-body", check: each(func(t *trial) error { t.sample.body = nil; return t.answers() }),
			holds: "an answer without a body is as good as any", applies: (*suite).takesBodies},
		{name: "invalid-utf8", check: each(func(t *trial) error { t.sample.body = []byte("a\xff\xfe\x00b\n"); return t.answers() }),
			holds: "a body may hold any bytes", applies: (*suite).takesBodies},
		{name: "concurrency", check: checkConcurrency, holds: fmt.Sprintf("%d calls at the same time are answered", parallel)},
		{name: "deadline", check: checkDeadline, holds: "a call whose time is over does not keep it from ending"},
		{name: "cancel", check: checkCancel, holds: "a call that the host gives up does not keep it from ending"},
	}
}

// trial is a process, a workspace and the kind that is tried on them.
type trial struct {
	*process
	ctx    context.Context
	sample *sample
	kind   hook.Kind
}

// kinds are the plugin's, but not those of a later protocol.
func (s *suite) kinds() []hook.Kind {
	return slices.DeleteFunc(slices.Clone(s.description.Kinds), func(k hook.Kind) bool { return !k.Valid() })
}

func (s *suite) undeclared() []hook.Kind {
	return slices.DeleteFunc(hook.Kinds(), func(k hook.Kind) bool { return slices.Contains(s.description.Kinds, k) })
}

// takesBodies reports whether the plugin gets the text of answers.
func (s *suite) takesBodies() bool { return slices.ContainsFunc(s.description.Kinds, takesBody) }

func takesBody(k hook.Kind) bool {
	return k == hook.KindWriter || k == hook.KindRevalidator || k == hook.KindRenderer
}

// each makes a check of a try on each of the plugin's kinds, in one process for
// all.
func each(try func(*trial) error) func(context.Context, *suite) error {
	return func(ctx context.Context, s *suite) error { return s.on(ctx, s.kinds(), try) }
}

func (s *suite) on(ctx context.Context, kinds []hook.Kind, try func(*trial) error) error {
	p, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer s.close(p)
	for _, kind := range kinds {
		r, err := newSample()
		if err != nil {
			return err
		}
		limited, cancel := context.WithTimeout(ctx, callLimit)
		err = try(&trial{process: p, ctx: limited, sample: r, kind: kind})
		cancel()
		r.remove()
		if err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
	}
	return nil
}

// answers makes the call.
func (t *trial) answers() error { return t.answered(t.sample.call(t.ctx, t.process, t.kind)) }

// answered judges how a call ended that was made for an answer. A failure that the
// plugin reports is one, unless it says that the plugin is broken: it may need what
// only its real place has.
func (t *trial) answered(err error) error {
	if failure, ok := errors.AsType[*hook.Failure](err); ok && failure.Code != hook.FailureInternal {
		return nil
	}
	return t.explain(err)
}

// explain says of an error what the process knows better.
func (p *process) explain(err error) error {
	failure, ok := errors.AsType[*hook.Failure](err)
	switch {
	case ok && failure.Code == hook.FailureInternal:
		return fmt.Errorf("it failed: %w", err)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("it did not answer within %s", callLimit)
	case status.Code(err) == codes.Unavailable && p.ended(context.Background(), time.Second):
		return fmt.Errorf("its process ended in the call: %s", p.end())
	}
	return err
}

func checkUndeclared(ctx context.Context, s *suite) error {
	return s.on(ctx, s.undeclared(), func(t *trial) error {
		err := t.sample.call(t.ctx, t.process, t.kind)
		if code := status.Code(err); code != codes.Unimplemented {
			return fmt.Errorf("it does not name this kind and answers a call of it with %s; want %s", code, codes.Unimplemented)
		}
		return nil
	})
}

// refusesTaskID sends IDs that would lead out of the folder of the snapshots.
func (t *trial) refusesTaskID() error {
	before, err := t.sample.list()
	if err != nil {
		return err
	}
	for _, id := range []string{"", "../../escape", "CHECK-0001/../CHECK-0002", "CHECK-0001\n", "CHECK\x00-0001"} {
		t.sample.task.ID = id
		if err := t.refusesArgument(t.sample.call(t.ctx, t.process, t.kind)); err != nil {
			return fmt.Errorf("the task ID %q: %w", id, err)
		}
	}
	after, err := t.sample.list()
	if err == nil && before != after {
		err = errors.New("it refused invalid task IDs, but had changed the workspace by then")
	}
	return err
}

// refusesArgument expects a refused value, as a Failure or as gRPC's own code.
func (t *trial) refusesArgument(err error) error {
	failure, ok := errors.AsType[*hook.Failure](err)
	switch {
	case ok && failure.Code == hook.FailureArgument, status.Code(err) == codes.InvalidArgument:
		return nil
	case err == nil:
		return errors.New("it answered as if nothing were wrong; want INVALID_ARGUMENT")
	case ok:
		return fmt.Errorf("it failed as %q instead of refusing an argument: %s", failure.Code, failure.Message)
	}
	return fmt.Errorf("want INVALID_ARGUMENT: %w", t.explain(err))
}

// parallel is how many calls of each kind are made at once.
const parallel = 8

func checkConcurrency(ctx context.Context, s *suite) error {
	return each(func(t *trial) error {
		errs := make([]error, parallel)
		var calls sync.WaitGroup
		for i := range errs {
			calls.Go(func() { errs[i] = t.answers() })
		}
		calls.Wait()
		for _, err := range errs {
			if err != nil {
				return fmt.Errorf("one of %d calls at the same time: %w", parallel, err)
			}
		}
		return nil
	})(ctx, s)
}

const (
	// overTime is how long a call may go on before it is over.
	overTime = 100 * time.Millisecond
	// overGrace is what a call that is over may take to tidy up.
	overGrace = 400 * time.Millisecond
	// overLimit is shorter than [hook.StopGrace], which a plugin of the SDK waits
	// for a call that goes on.
	overLimit = time.Second
)

func checkDeadline(ctx context.Context, s *suite) error {
	return s.over(ctx, func(ctx context.Context) (context.Context, context.CancelFunc) {
		return context.WithTimeout(ctx, overTime)
	})
}

func checkCancel(ctx context.Context, s *suite) error {
	return s.over(ctx, func(ctx context.Context) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(ctx)
		time.AfterFunc(overTime, cancel)
		return ctx, cancel
	})
}

// over makes a call of each kind that ends before its time. What goes on in the
// plugin afterwards cannot be seen from here, except that the plugin waits for it
// when it is asked to end. The task's lock is held meanwhile, so that writers and
// archivers have something to wait for.
func (s *suite) over(ctx context.Context, limit func(context.Context) (context.Context, context.CancelFunc)) error {
	p, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer s.close(p)
	kinds := s.kinds()
	errs := make([]error, len(kinds))
	var calls sync.WaitGroup
	for i, kind := range kinds {
		calls.Go(func() { errs[i] = overOne(ctx, p, kind, limit) })
	}
	calls.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if p.ended(ctx, overGrace) {
		return fmt.Errorf("its process ended: %s", p.end())
	}
	_ = p.shutdown(ctx) // the end of its input asks as well
	_ = p.lifeline.Close()
	if !p.ended(ctx, overLimit) {
		return fmt.Errorf("asked to end %s after the last of its calls was over, it was still busy after %s; hand the call's context on", overGrace, overLimit)
	}
	return nil
}

func overOne(ctx context.Context, p *process, kind hook.Kind, limit func(context.Context) (context.Context, context.CancelFunc)) error {
	r, err := newSample()
	if err != nil {
		return err
	}
	defer r.remove()
	ws, err := workspace.Open(r.task.Root)
	if err != nil {
		return &hostError{err}
	}
	defer ws.Close()
	lock, err := ws.Lock(ctx, taskID, callLimit)
	if err != nil {
		return &hostError{err}
	}
	limited, cancel := limit(ctx)
	defer cancel()
	_ = r.call(limited, p, kind) // done, failed or over, all are fine
	if err := lock.Release(); err != nil {
		return fmt.Errorf("%s: the lock of the task, which the host held, was taken away: %w", kind, err)
	}
	return nil
}
