package workspace

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// patience is longer than any test may wait for a lock.
const patience = time.Minute

func mustLock(t testing.TB, w *Workspace, taskID string) *Lock {
	t.Helper()
	lock, err := w.Lock(t.Context(), taskID, patience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lock.Release() })
	return lock
}

func wantHeld(t testing.TB, w *Workspace, taskID string) *LockTimeoutError {
	t.Helper()
	lock, err := w.Lock(t.Context(), taskID, 0)
	held, ok := errors.AsType[*LockTimeoutError](err)
	if !ok {
		t.Fatalf("Lock = %v, %v, want a LockTimeoutError", lock, err)
	}
	return held
}

func release(t testing.TB, lock *Lock) {
	t.Helper()
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
}

func TestLockIsHeldUntilItsRelease(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		w := newWorkspace(t)
		lock := mustLock(t, w, "A-0001")
		held := wantHeld(t, w, "A-0001")
		if held.Owner == nil || held.Owner.PID != os.Getpid() || held.Owner.Token != lock.owner.Token {
			t.Errorf("owner %+v, want this process", held.Owner)
		}
		release(t, mustLock(t, w, "A-0002")) // another task is not delayed
		release(t, lock)
		wantNames(t, filepath.Join(w.Root(), "datarim", "snapshots"))
		release(t, mustLock(t, w, "A-0001"))
	})
}

// takeTurns lets many takers have the lock, and fails if ever two have it.
func takeTurns(t *testing.T, w *Workspace, takers, turns int) {
	t.Helper()
	var holders, had atomic.Int32
	var all sync.WaitGroup
	for range takers {
		all.Go(func() {
			for range turns {
				lock, err := w.Lock(t.Context(), "A-0001", patience)
				if err != nil {
					t.Error(err)
					return
				}
				if n := holders.Add(1); n != 1 {
					t.Errorf("%d holders at once", n)
				}
				had.Add(1)
				holders.Add(-1)
				if err := lock.Release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if int(had.Load()) != takers*turns {
		t.Errorf("%d of %d had their turn", had.Load(), takers*turns)
	}
}

func TestManyTakersHaveTheirTurnAlone(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		w := newWorkspace(t)
		takeTurns(t, w, 16, 5)
		wantNames(t, filepath.Join(w.Root(), "datarim", "snapshots"))
	})
}

func TestLockTimeoutNamesTheOwner(t *testing.T) {
	w := newWorkspace(t)
	mustLock(t, w, "A-0001")
	held := wantHeld(t, w, "A-0001")
	host, _ := os.Hostname()
	for _, part := range []string{"datarim/snapshots/.lock.A-0001", "ago", host} {
		if !strings.Contains(held.Error(), part) {
			t.Errorf("%q does not name %q", held.Error(), part)
		}
	}
}

func TestLockWithoutAnOwnerIsNeverBroken(t *testing.T) {
	for name, make := range map[string]func(t *testing.T, lock string){
		"empty":   func(t *testing.T, lock string) {},
		"garbage": func(t *testing.T, lock string) { plant(t, lock, "owner.0", "{") },
		"null":    func(t *testing.T, lock string) { plant(t, lock, "owner.0", "null") },
		"huge":    func(t *testing.T, lock string) { plant(t, lock, "owner.0", strings.Repeat(" ", 5000)+"{}") },
		"a link": func(t *testing.T, lock string) {
			symlink(t, plant(t, t.TempDir(), "o", "{}"), filepath.Join(lock, "owner.0"))
		},
		"a file of another name": func(t *testing.T, lock string) {
			plant(t, lock, "owner.-1", "{}")
			plant(t, lock, "pid", "1")
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t)
			newDir(t, w, "datarim/snapshots/.lock.A-0001")
			path := filepath.Join(w.Root(), "datarim", "snapshots", ".lock.A-0001")
			make(t, path)
			hourAgo := time.Now().Add(-time.Hour)
			if err := os.Chtimes(path, hourAgo, hourAgo); err != nil {
				t.Fatal(err)
			}
			held := wantHeld(t, w, "A-0001")
			if held.Owner != nil || held.Age < time.Hour || held.Age > 2*time.Hour {
				t.Errorf("owner %+v, age %v, want none and an hour", held.Owner, held.Age)
			}
			if !strings.Contains(held.Hint(), "stagehook unlock --task A-0001") {
				t.Errorf("hint %q does not say how to clear it", held.Hint())
			}
		})
	}
}

func TestLockRefusesNamesThatLeadElsewhere(t *testing.T) {
	w := newWorkspace(t)
	for _, taskID := range []string{"../A-0001", "A/0001", "A-0001.x", "."} {
		if _, err := w.Lock(t.Context(), taskID, patience); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("Lock(%q): %v, want ErrInvalid", taskID, err)
		}
	}
	wantNames(t, w.Root())
}

func TestLockEndsWithItsContext(t *testing.T) {
	w := newWorkspace(t)
	mustLock(t, w, "A-0001")
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error)
	go func() {
		_, err := w.Lock(ctx, "A-0001", patience)
		result <- err
	}()
	cancel()
	if err := <-result; err != context.Canceled {
		t.Errorf("Lock: %v, want context.Canceled", err)
	}
	if _, err := w.Lock(ctx, "A-0002", patience); err != context.Canceled {
		t.Errorf("Lock of a free task: %v, want context.Canceled", err)
	}
	wantNames(t, filepath.Join(w.Root(), "datarim", "snapshots"), ".lock.A-0001")
}

// The longest timeouts are waited for, not taken for ones that are over.
func TestHugeTimeoutIsInTheFuture(t *testing.T) {
	w := newWorkspace(t)
	mustLock(t, w, "A-0001")
	for _, timeout := range []time.Duration{math.MaxInt64, math.MaxInt64 - 1, math.MaxInt64 / 2} {
		ctx := &endsWhenAsked{Context: t.Context(), times: 3}
		if _, err := w.Lock(ctx, "A-0001", timeout); err != context.Canceled {
			t.Errorf("Lock with timeout %v: %v, want it to wait on", timeout, err)
		}
	}
}

// endsWhenAsked is a context that has ended when it is asked for the last of these
// times. A waiter asks before every look at the lock.
type endsWhenAsked struct {
	context.Context
	times int
}

func (c *endsWhenAsked) Err() error {
	if c.times--; c.times <= 0 {
		return context.Canceled
	}
	return nil
}

func TestReleaseLeavesAnothersLock(t *testing.T) {
	for name, replace := range map[string]func(t *testing.T, w *Workspace){
		"none":     func(*testing.T, *Workspace) {},
		"a script": func(t *testing.T, w *Workspace) { newDir(t, w, "datarim/snapshots/.lock.A-0001") },
		"a writer": func(t *testing.T, w *Workspace) { mustLock(t, w, "A-0001") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t)
			lock := mustLock(t, w, "A-0001")
			path := filepath.Join(w.Root(), "datarim", "snapshots", ".lock.A-0001")
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			replace(t, w)
			before, _ := os.Stat(path)
			if err := lock.Release(); err == nil {
				t.Error("Release of a lost lock succeeded")
			}
			after, _ := os.Stat(path)
			if (before == nil) != (after == nil) || before != nil && !os.SameFile(before, after) {
				t.Error("another's lock was removed")
			}
		})
	}
}

func TestSecondReleaseTouchesNothing(t *testing.T) {
	w := newWorkspace(t)
	lock := mustLock(t, w, "A-0001")
	release(t, lock)
	next := mustLock(t, w, "A-0001")
	release(t, lock)
	wantHeld(t, w, "A-0001")
	release(t, next)
}

// The lock outlives the handle it was taken through.
func TestLockOutlivesItsWorkspace(t *testing.T) {
	w := openWorkspace(t, t.TempDir())
	lock := mustLock(t, w, "A-0001")
	w.Close()
	if err := lock.Dir().Replace("x", nil); err != nil {
		t.Error(err)
	}
	release(t, lock)
}

func BenchmarkLock(b *testing.B) {
	w := newWorkspace(b)
	for b.Loop() {
		lock, err := w.Lock(b.Context(), "A-0001", patience)
		if err != nil {
			b.Fatal(err)
		}
		lock.Release()
	}
}
