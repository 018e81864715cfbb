package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestUnlock(t *testing.T) {
	root := t.TempDir()
	ws, err := Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	if cleared, err := ws.Unlock("A1-0001"); cleared || err != nil {
		t.Errorf("without any folder: %v, %v", cleared, err)
	}
	lock, err := ws.Lock(context.Background(), "A1-0001", 0)
	if err != nil {
		t.Fatal(err)
	}
	var held *LockTimeoutError
	if cleared, err := ws.Unlock("A1-0001"); cleared || !errors.As(err, &held) || held.Owner.PID != os.Getpid() {
		t.Errorf("our own lock: %v, %v", cleared, err)
	}
	if err := lock.Release(); err != nil {
		t.Errorf("the refused attempt has touched the lock: %v", err)
	}
	if cleared, err := ws.Unlock("A1-0001"); cleared || err != nil {
		t.Errorf("after the release: %v, %v", cleared, err)
	}

	path := filepath.Join(root, "datarim", "snapshots", ".lock.A1-0001")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if cleared, err := ws.Unlock("A1-0001"); !cleared || err != nil {
		t.Errorf("a script's lock: %v, %v", cleared, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 0 {
		t.Errorf("left: %v, %v", entries, err)
	}

	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var kind *KindError
	if cleared, err := ws.Unlock("A1-0001"); cleared || !errors.As(err, &kind) {
		t.Errorf("a file in the way: %v, %v", cleared, err)
	}
}

// A lock that was taken between the judgement and the removal stays.
func TestDiscardLeavesANewLock(t *testing.T) {
	root := t.TempDir()
	ws, err := Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	dir, err := ws.OpenDir(".")
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	path := filepath.Join(root, "lock")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	judged, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Rename(path, path+".old"), os.Mkdir(path, 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := dir.discard("lock", judged); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the new lock is gone: %v", err)
	}
}
