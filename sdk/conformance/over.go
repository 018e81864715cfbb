package conformance

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/stagehook/stagehook/sdk/workspace"
)

const (
	// overTime is how long a call may go on before it is over.
	overTime = 100 * time.Millisecond
	// overGrace is what a call that is over may take to tidy up.
	overGrace = 400 * time.Millisecond
	// overLimit is shorter than hook.StopGrace, which a plugin of the SDK waits
	// for a call that goes on.
	overLimit = time.Second
)

// limited gives a call a context that ends too early.
type limited func(context.Context) (context.Context, context.CancelFunc)

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
// when it is asked to end. The tasks' locks are held until then, so that writers and
// archivers have something to wait for.
func (s *suite) over(ctx context.Context, limit limited) error {
	p, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer s.close(p)
	var calls sync.WaitGroup
	for _, kind := range s.kinds() {
		r, free, err := lockedSample(ctx)
		if err != nil {
			return err
		}
		defer free()
		calls.Go(func() {
			ctx, cancel := limit(ctx)
			defer cancel()
			_ = r.call(ctx, p, kind) // done, failed or over, all are fine
		})
	}
	calls.Wait()
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

// lockedSample makes a sample whose task is locked until it is freed.
func lockedSample(ctx context.Context) (r *sample, free func(), err error) {
	r, err = newSample()
	if err != nil {
		return nil, nil, err
	}
	ws, err := workspace.Open(r.task.Root)
	if err != nil {
		r.remove()
		return nil, nil, &hostError{err}
	}
	lock, err := ws.Lock(ctx, taskID, callLimit)
	if err != nil {
		_ = ws.Close()
		r.remove()
		return nil, nil, &hostError{err}
	}
	return r, func() {
		_ = lock.Release() // it is removed with the workspace
		_ = ws.Close()
		r.remove()
	}, nil
}
