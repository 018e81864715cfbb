//go:build unix

package validator

import (
	"os"
	"syscall"
	"testing"

	"github.com/stagehook/stagehook/sdk/snapshot"
)

func TestFIFOIsNotWaitedFor(t *testing.T) {
	root, path := store(t)
	must(t, os.Remove(path))
	must(t, syscall.Mkfifo(path, 0o600))
	if res := validate(t, root, snapshot.LevelStrict); res.Problem == nil || res.Problem.Code != snapshot.CodeNotRegular {
		t.Errorf("got %+v", res)
	}
}

func TestOwnerIsTheCurrentUser(t *testing.T) {
	root, path := store(t)
	info, err := os.Stat(path)
	must(t, err)
	if uid, ok := ownerOf(info); !ok || uid != os.Geteuid() {
		t.Errorf("got %d, %v", uid, ok)
	}
	if os.Geteuid() != 0 {
		return // only root can give a file away
	}
	must(t, os.Chown(path, 65534, 65534))
	if res := validate(t, root, snapshot.LevelStrict); res.Problem == nil || res.Problem.Code != snapshot.CodeWrongOwner {
		t.Errorf("got %+v", res)
	}
}
