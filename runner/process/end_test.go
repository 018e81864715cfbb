//go:build unix

package process

import (
	"context"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// A plugin that goes on after it was asked to end is killed.
func TestCloseKillsWhatStays(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	command := as("plugin", "immortal")
	command.StopTimeout = 300 * time.Millisecond
	wantPrompt(t, mustStart(t, openPool(t), command), "x")
}

// Until then it may take the time that it has, which go-plugin cuts at 2 s.
func TestCloseWaitsForTheStopTimeout(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	marker := filepath.Join(t.TempDir(), "ended")
	command := as("plugin", "linger", marker)
	command.StopTimeout = patience
	pool := openPool(t)
	mustStart(t, pool, command)
	closePool(t, pool)
	if !exists(marker) {
		t.Error("the process was killed")
	}
}

// A plugin that keeps nothing is not asked to end.
func TestCloseKillsAnIdleStatelessPlugin(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	marker := filepath.Join(t.TempDir(), "ended")
	command := as("plugin", "linger", marker, "stateless")
	command.StopTimeout = patience
	pool := openPool(t)
	wantPrompt(t, mustStart(t, pool, command), "x")
	closePool(t, pool)
	if exists(marker) {
		t.Error("the process was asked to end")
	}
}

// It may tidy up in a call, even if nobody waits for that any more.
func TestCloseAsksABusyStatelessPlugin(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	for _, canceled := range []bool{false, true} {
		marker := filepath.Join(t.TempDir(), "call")
		pool := openPool(t)
		p := mustStart(t, pool, as("plugin", "tidy", marker, "stateless"))
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error)
		go func() {
			_, err := render(ctx, p, patience)
			failed <- err
		}()
		wait(t, "the call", func() bool { return exists(marker + ".begun") })
		if canceled {
			cancel()
			<-failed
			wait(t, "the end of the call", func() bool { return exists(marker + ".ending") })
		}
		closePool(t, pool)
		if !canceled {
			<-failed
		}
		cancel()
		if !exists(marker + ".ended") {
			t.Errorf("canceled %t: the plugin could not tidy up", canceled)
		}
	}
}

// A plugin that knows nothing of go-plugin is asked by the end of its input.
func TestCloseEndsTheInput(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	marker := filepath.Join(t.TempDir(), "ended")
	pool := openPool(t)
	wantPrompt(t, mustStart(t, pool, as("foreign", marker)), "prompt")
	closePool(t, pool)
	if !exists(marker) {
		t.Error("the process was killed")
	}
}

// A stopped process does not even answer that it is to end.
func TestCloseKillsAStoppedProcess(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	command := as("plugin", "good")
	command.StopTimeout = 300 * time.Millisecond
	p := mustStart(t, openPool(t), command)
	if err := syscall.Kill(p.PID(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
}

// A grandchild in the plugin's group ends with it.
func TestCloseEndsTheGroup(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	p := mustStart(t, openPool(t), as("plugin", "fork", filepath.Join(t.TempDir(), "pid")))
	if _, err := render(t.Context(), p, patience); err != nil {
		t.Fatal(err)
	}
}

// A grandchild in another session goes on, and nobody waits for it although it
// holds the plugin's outputs.
func TestCloseLeavesOtherSessions(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	pidFile := filepath.Join(t.TempDir(), "pid")
	endLater(t, pidFile)
	p := mustStart(t, openPool(t), as("plugin", "leave", pidFile))
	if _, err := render(t.Context(), p, patience); err != nil {
		t.Fatal(err)
	}
}

// The group ends also when its leader has ended by itself.
func TestGroupEndsWithItsLeader(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	p := mustStart(t, openPool(t), as("plugin", "fork", filepath.Join(t.TempDir(), "pid")))
	if _, err := render(t.Context(), p, patience); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(p.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	wantNoGroup(t, p.PID())
}
