package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestUnlockOfNothingIsNone(t *testing.T) {
	w := newWorkspace(t)
	if cleared, err := w.Unlock("A-0001"); cleared || err != nil {
		t.Errorf("without any folder: %v, %v", cleared, err)
	}
	wantNames(t, w.Root())
	release(t, mustLock(t, w, "A-0001"))
	if cleared, err := w.Unlock("A-0001"); cleared || err != nil {
		t.Errorf("after the release: %v, %v", cleared, err)
	}
}

func TestUnlockRefusesALivingHolder(t *testing.T) {
	w := newWorkspace(t)
	lock := mustLock(t, w, "A-0001")
	cleared, err := w.Unlock("A-0001")
	held, ok := errors.AsType[*LockTimeoutError](err)
	if cleared || !ok || held.TaskID != "A-0001" || held.Owner == nil || held.Owner.PID != os.Getpid() {
		t.Errorf("Unlock: %v, %v, want our own lock refused", cleared, err)
	}
	if err := lock.Release(); err != nil {
		t.Errorf("the refused attempt has touched the lock: %v", err)
	}
}

func TestUnlockClearsAScriptsLockAndAllDebris(t *testing.T) {
	w := newWorkspace(t)
	newDir(t, w, "datarim/snapshots/.lock.A-0001")
	newDir(t, w, "datarim/snapshots/.lock.A-0001."+newOwner().Token)
	if cleared, err := w.Unlock("A-0001"); !cleared || err != nil {
		t.Errorf("Unlock: %v, %v", cleared, err)
	}
	wantNames(t, filepath.Join(w.Root(), "datarim", "snapshots"))
}

func TestUnlockTouchesNothingButADirectory(t *testing.T) {
	w := newWorkspace(t)
	path := plant(t, w.Root(), "datarim/snapshots/.lock.A-0001", "kept")
	if cleared, err := w.Unlock("A-0001"); cleared || !isKind(err, KindFile) {
		t.Errorf("Unlock of a file: %v, %v, want a KindError", cleared, err)
	}
	wantContent(t, path, "kept")
}
