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
