package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// mountAt mounts a file system for the time of the test, as mount(2) does.
func mountAt(t testing.TB, source, path, kind string, flags uintptr, data string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root may mount")
	}
	if err := unix.Mount(source, path, kind, flags, data); err != nil {
		t.Fatal("mount: ", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(path, unix.MNT_DETACH); err != nil {
			t.Error("unmount: ", err)
		}
	})
}

// makeReadOnly makes what is below the root read-only for the time of the test.
func makeReadOnly(t testing.TB, w *Workspace) {
	t.Helper()
	mountAt(t, w.Root(), w.Root(), "", unix.MS_BIND, "")
	if err := unix.Mount("", w.Root(), "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY, ""); err != nil {
		t.Fatal("mount: ", err)
	}
}

func TestReadOnlyMountIsAnErrorAtOnce(t *testing.T) {
	for name, prepare := range map[string]func(t *testing.T, w *Workspace){
		"nothing there":            func(*testing.T, *Workspace) {},
		"snapshots":                func(t *testing.T, w *Workspace) { newDir(t, w, SnapshotFolder) },
		"snapshots closed already": func(t *testing.T, w *Workspace) { release(t, mustLock(t, w, "A-0001")) },
		"a stale lock": func(t *testing.T, w *Workspace) {
			release(t, mustLock(t, w, "A-0001"))
			abandon(t, w, "A-0001", ended(t, w))
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t)
			newDir(t, w, "d")
			plant(t, w.Root(), "d/file", "old")
			prepare(t, w)
			makeReadOnly(t, w)
			w = openWorkspace(t, w.Root()) // the other one is from before the mount
			dir, err := w.OpenDir("d")
			if err != nil {
				t.Fatal(err)
			}
			defer dir.Close()

			_, lock := w.Lock(t.Context(), "A-0001", time.Hour)
			_, made := w.MakeDir("documentation/archive", 0o755)
			for call, err := range map[string]error{
				"Lock":    lock,
				"MakeDir": made,
				"Replace": dir.Replace("file", []byte("new")),
				"Move":    dir.Move("file", dir, "target"),
			} {
				if !errors.Is(err, syscall.EROFS) {
					t.Errorf("%s: %v, want EROFS", call, err)
				}
			}
			wantContent(t, filepath.Join(w.Root(), "d", "file"), "old")
			wantNames(t, filepath.Join(w.Root(), "d"), "file")
		})
	}
}

// A lock in a lower layer, as a container's image may hold one, cannot be renamed
// and is removed in place.
func TestLockInALowerLayerIsGivenBack(t *testing.T) {
	lower, upper, work, merged := newWorkspace(t), t.TempDir(), t.TempDir(), t.TempDir()
	abandon(t, lower, "A-0001", ended(t, lower))
	newDir(t, lower, SnapshotFolder+"/.lock.A-0002")
	mountAt(t, "overlay", merged, "overlay", 0,
		"redirect_dir=off,lowerdir="+lower.Root()+",upperdir="+upper+",workdir="+work)
	w := openWorkspace(t, merged)
	release(t, mustLock(t, w, "A-0001"))
	if cleared, err := w.Unlock("A-0002"); !cleared || err != nil {
		t.Errorf("Unlock = %v, %v", cleared, err)
	}
	wantNames(t, filepath.Join(merged, filepath.FromSlash(SnapshotFolder)), ".lock.Z-0001") // that of ended
}
