//go:build unix

package process

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// Two plugins that each wait for the other before they serve.
func TestPluginsStartSideBySide(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	pool := openPool(t)
	a, b := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	first, second := as("early", "wait", a, b), as("early", "wait", b, a)
	first.Plugin, second.Plugin = "first", "second"
	pool.Start(first)
	pool.Start(second)
	if mustStart(t, pool, first).PID() == mustStart(t, pool, second).PID() {
		t.Error("both are one process")
	}
}

func TestConcurrentStartsShareOneProcess(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	pool, command := openPool(t), as("plugin", "good")
	var got [8]*Process
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() {
			got[i], _ = pool.Start(command).Wait(t.Context())
			if got[i] != nil {
				wantPrompt(t, got[i], "prompt")
			}
		})
	}
	all.Wait()
	for _, p := range got {
		if p == nil || p != got[0] {
			t.Fatalf("got %v", got)
		}
	}
}

// A process that died between two calls is started again.
func TestStartReplacesADeadProcess(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	pool, command := openPool(t), as("plugin", "good")
	p := mustStart(t, pool, command)
	if err := syscall.Kill(p.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	wait(t, "the end of the process", p.child.gone)
	next := mustStart(t, pool, command)
	if next.PID() == p.PID() {
		t.Error("the dead process was returned")
	}
	wantPrompt(t, next, "prompt")
}

// A process that is of no more use to new calls goes on with those that it is in,
// until the pool is closed.
func TestReplacedProcessFinishesItsCalls(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	for _, finish := range []bool{true, false} {
		pool := openPool(t)
		marker := filepath.Join(t.TempDir(), "call")
		command := as("plugin", "gate", marker)
		command.StopTimeout = 300 * time.Millisecond
		p := mustStart(t, pool, command)
		finished := make(chan error)
		go func() {
			_, err := render(t.Context(), p, patience)
			finished <- err
		}()
		wait(t, "the call", func() bool { return exists(marker + ".begun") })
		_, err := render(t.Context(), p, time.Nanosecond)
		wantError(t, err, `did not answer within 1ns`)
		if mustStart(t, pool, command) == p {
			t.Error("the process was not replaced")
		}
		if finish {
			mark(marker + ".gate")
			if err := <-finished; err != nil {
				t.Errorf("the call that was running: %v", err)
			}
			wait(t, "the end of the process", p.child.gone)
		} else {
			closePool(t, pool)
			wantError(t, <-finished, `ended before it answered`)
		}
		wantNoGroup(t, p.PID())
	}
}

// A start that failed is not remembered.
func TestStartTriesAgainAfterAFailure(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	pool := openPool(t)
	failStart(t, pool, running("no-such-program"))
	wantPrompt(t, mustStart(t, pool, as("plugin", "good")), "prompt")
}

// The caller's context ends its waiting, not the start.
func TestCallerCancelsWait(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	pool := openPool(t)
	begun, gate := filepath.Join(t.TempDir(), "begun"), filepath.Join(t.TempDir(), "gate")
	command := as("early", "wait", begun, gate)
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() {
		_, err := pool.Start(command).Wait(ctx)
		failed <- err
	}()
	wait(t, "the plugin", func() bool { return exists(begun) })
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v; want %v", err, context.Canceled)
	}
	mark(gate)
	wantPrompt(t, mustStart(t, pool, command), "prompt")
}

func TestClose(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	var pool Pool
	pool.Close()

	pool = Pool{}
	command := as("plugin", "good")
	p := mustStart(t, &pool, command)
	closePool(t, &pool)
	pool.Close() // does nothing
	if _, err := pool.Start(command).Wait(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("Start after Close: %v; want %v", err, ErrClosed)
	}
	pool.Start(command)
	if pool.running != nil {
		t.Error("Start after Close started something")
	}
	_, err := render(t.Context(), p, patience)
	wantError(t, err, `ended before it answered`)
}

// Close ends a start that is under way.
func TestCloseDuringStart(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	pool := openPool(t)
	begun := filepath.Join(t.TempDir(), "begun")
	failed := make(chan error)
	go func() {
		_, err := pool.Start(as("early", "wait", begun, "/no/such/gate")).Wait(t.Context())
		failed <- err
	}()
	wait(t, "the plugin", func() bool { return exists(begun) })
	closePool(t, pool)
	if err := <-failed; !errors.Is(err, ErrClosed) {
		t.Errorf("error is %v; want %v", err, ErrClosed)
	}
}

// Close ends a call that is under way. A plugin that tidies up then may do so, and
// one that does not is killed.
func TestCloseDuringCall(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	for behaviour, timeout := range map[string]time.Duration{"tidy": patience, "ignore": 300 * time.Millisecond} {
		t.Run(behaviour, func(t *testing.T) {
			pool := openPool(t)
			marker := filepath.Join(t.TempDir(), "call")
			command := as("plugin", behaviour, marker)
			command.StopTimeout = timeout
			p := mustStart(t, pool, command)
			failed := make(chan error)
			go func() {
				_, err := render(t.Context(), p, patience)
				failed <- err
			}()
			wait(t, "the call", func() bool { return exists(marker + ".begun") })
			closePool(t, pool)
			wantError(t, <-failed, `ended before it answered`)
			if behaviour == "tidy" && !exists(marker+".ended") {
				t.Error("the plugin could not tidy up")
			}
		})
	}
}
