//go:build linux || darwin

package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// taker returns a taker that is stopped after judging the lock's owner dead.
func taker(t testing.TB, w *Workspace) (lock *Lock, held *Dir, generation int) {
	t.Helper()
	lock = &Lock{dir: newDir(t, w, SnapshotFolder), name: ".lock.A-0001", owner: newOwner()}
	held, err := lock.dir.open(lock.name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { held.Close() })
	owner, generation := lastOwner(held)
	if owner == nil || !owner.dead() {
		t.Fatalf("owner %+v is not dead", owner)
	}
	return lock, held, generation
}

// A taker is stopped between judging and taking over, others go on, and then it
// takes its step.
func TestPausedTakerHasNothing(t *testing.T) {
	for name, meanwhile := range map[string]func(t *testing.T, w *Workspace){
		"another took over and holds": func(t *testing.T, w *Workspace) {
			mustLock(t, w, "A-0001")
		},
		"another took over, released, and a third holds": func(t *testing.T, w *Workspace) {
			release(t, mustLock(t, w, "A-0001"))
			mustLock(t, w, "A-0001")
		},
		"another took over and is half way through its release": func(t *testing.T, w *Workspace) {
			lock := mustLock(t, w, "A-0001")
			if err := lock.dir.root.Rename(lock.name, lock.stagedName()); err != nil {
				t.Fatal(err)
			}
			if err := lock.dir.root.Remove(lock.stagedName() + "/" + ownerFile(1)); err != nil {
				t.Fatal(err)
			}
			// A script, since a writer would clear away what is left.
			newDir(t, w, "datarim/snapshots/.lock.A-0001")
		},
		"another took over and was killed, and a third took over from it": func(t *testing.T, w *Workspace) {
			startHolder(t, w, "A-0001").kill()
			mustLock(t, w, "A-0001")
		},
		"a script holds": func(t *testing.T, w *Workspace) {
			release(t, mustLock(t, w, "A-0001"))
			newDir(t, w, "datarim/snapshots/.lock.A-0001")
		},
	} {
		t.Run(name, func(t *testing.T) {
			eachWay(t, func(t *testing.T) {
				w := newWorkspace(t)
				abandon(t, w, "A-0001", ended(t, w))
				paused, held, generation := taker(t, w)
				meanwhile(t, w)
				before := wantHeld(t, w, "A-0001")

				if err := paused.takeOver(held, generation); err != errTooLate {
					t.Fatalf("takeOver: %v, want it to be too late", err)
				}
				after := wantHeld(t, w, "A-0001")
				if (before.Owner == nil) != (after.Owner == nil) || after.Owner != nil && *before.Owner != *after.Owner {
					t.Errorf("the lock changed hands, from %+v to %+v", before.Owner, after.Owner)
				}
			})
		})
	}
}

// A maker is stopped with its lock directory half ready, another takes the lock,
// clears that directory away and is done; then the maker takes its next step.
func TestPausedMakerTriesAgain(t *testing.T) {
	meanwhile := func(t *testing.T, w *Workspace) {
		release(t, mustLock(t, w, "A-0001"))
		wantNames(t, filepath.Join(w.Root(), "datarim", "snapshots"))
	}
	maker := func(t *testing.T, w *Workspace) *Lock {
		return &Lock{dir: newDir(t, w, SnapshotFolder), name: ".lock.A-0001", owner: newOwner()}
	}
	t.Run("before its owner file", func(t *testing.T) {
		w := newWorkspace(t)
		lock := maker(t, w)
		if err := lock.dir.root.Mkdir(lock.stagedName(), 0o700); err != nil {
			t.Fatal(err)
		}
		meanwhile(t, w)
		if err := orTooLate(lock.stage(lock.stagedName())); err != errTooLate {
			t.Errorf("stage: %v, want it to be too late", err)
		}
	})
	t.Run("before the rename", func(t *testing.T) {
		w := newWorkspace(t)
		lock := maker(t, w)
		original := renameExclusive
		t.Cleanup(func() { renameExclusive = original })
		renameExclusive = func(from *Dir, name string, to *Dir, newName string) error {
			renameExclusive = original
			meanwhile(t, w)
			return original(from, name, to, newName)
		}
		if err := lock.take(); err != errTooLate {
			t.Errorf("take: %v, want it to be too late", err)
		}
		wantNames(t, filepath.Join(w.Root(), "datarim", "snapshots"))
		if holder, err := lock.try(); holder != nil || err != nil {
			t.Errorf("try again: %v, %v, want the lock", holder, err)
		}
	})
}

// Whoever is too late at the last moment still learns who was faster.
func TestTooLateTakerNamesTheHolder(t *testing.T) {
	w := newWorkspace(t)
	original := renameExclusive
	t.Cleanup(func() { renameExclusive = original })
	renameExclusive = func(from *Dir, name string, to *Dir, newName string) error {
		renameExclusive = original
		mustLock(t, w, "A-0001")
		return original(from, name, to, newName)
	}
	if held := wantHeld(t, w, "A-0001"); held.Owner == nil || held.Owner.PID != os.Getpid() {
		t.Errorf("owner %+v, want the one who was faster", held.Owner)
	}
}

// Whoever is too late every time blames no holder that was never seen: the advice
// to clear the lock would be wrong.
func TestTakerWhoIsAlwaysTooLate(t *testing.T) {
	w := newWorkspace(t)
	original := renameExclusive
	t.Cleanup(func() { renameExclusive = original })
	renameExclusive = func(*Dir, string, *Dir, string) error { return fs.ErrExist }
	lock, err := w.Lock(t.Context(), "A-0001", 0)
	if !errors.Is(err, errSwapped) || !strings.Contains(err.Error(), "datarim/snapshots/.lock.A-0001") {
		t.Errorf("Lock = %v, %v, want an error that names the lock", lock, err)
	}
	wantNames(t, filepath.Join(w.Root(), "datarim", "snapshots"))
}

// To clear a lock by hand is to take it over first, so what came in its place
// since it was judged stays.
func TestUnlockLeavesALockThatCameInBetween(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		w := newWorkspace(t)
		script := newDir(t, w, "datarim/snapshots/.lock.A-0001")
		_, generation := lastOwner(script)
		if err := os.Remove(filepath.Join(w.Root(), "datarim", "snapshots", ".lock.A-0001")); err != nil {
			t.Fatal(err)
		}
		mustLock(t, w, "A-0001")
		clearer := &Lock{dir: newDir(t, w, SnapshotFolder), name: ".lock.A-0001", owner: newOwner()}
		if err := clearer.takeOver(script, generation); err != errTooLate {
			t.Errorf("takeOver: %v, want it to be too late", err)
		}
		wantCleared(t, w, "A-0001", false)
		wantHeld(t, w, "A-0001")
	})
}

// A live holder is waited for, and its release ends the wait.
func TestWaitEndsWithTheRelease(t *testing.T) {
	w := newWorkspace(t)
	child := startHolder(t, w, "A-0001")
	if held := wantHeld(t, w, "A-0001"); held.Owner.PID != child.Process.Pid {
		t.Errorf("owner %+v, want process %d", held.Owner, child.Process.Pid)
	}
	child.input.Close()
	release(t, mustLock(t, w, "A-0001"))
	child.wantDone(t)
	if _, err := os.Stat(filepath.Join(w.Root(), "datarim", "snapshots", ".lock.A-0001")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock is left: %v", err)
	}
}
