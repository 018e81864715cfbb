package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func init() {
	roles["replaceOnce"] = replaceOnce
	roles["writeOnce"] = writeOnce
}

// replaceOnce replaces a file and says how that ended.
func replaceOnce(w *Workspace, content string) error {
	dir, err := w.OpenDir("d")
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Replace("file", []byte(content)); err != nil {
		fmt.Println(err)
		return nil
	}
	fmt.Println("done")
	return nil
}

func TestReplaceIsDurableInOrder(t *testing.T) {
	for name, test := range map[string]struct {
		old  string
		want []string
	}{
		"of a file": {"old", []string{
			"fchmod temp", "write temp", "fsync temp", "linkat file temp", "renameat temp file", "fsync d", "unlinkat temp",
		}},
		"of nothing": {"", []string{
			"fchmod temp", "write temp", "fsync temp", "renameat temp file", "fsync d",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t)
			newDir(t, w, "d")
			if test.old != "" {
				plant(t, w.Root(), "d/file", test.old)
			}
			got := callsOn(t, filepath.Join(w.Root(), "d"), "replaceOnce", w, "new")
			if !slices.Equal(got, test.want) {
				t.Errorf("calls %q, want %q", got, test.want)
			}
		})
	}
}

// Whatever step fails, the old file is the very file that it was, and nothing is
// beside it.
func TestFailedStepOfReplaceLeavesTheOldFileUntouched(t *testing.T) {
	for _, fault := range []string{
		"fchmod:error=EPERM:when=1",
		"write:error=ENOSPC:when=1",
		"fsync:error=EIO:when=1",
		"renameat:error=EIO:when=1",
		"fsync:error=EIO:when=2",
		"fsync:error=EDQUOT:when=2",
	} {
		t.Run(fault, func(t *testing.T) {
			for name, links := range map[string]int{"one name": 1, "two names": 2} {
				w := newWorkspace(t)
				path := plant(t, w.Root(), "d/file", "old")
				if links == 2 {
					os.Link(path, filepath.Join(w.Root(), "other"))
				}
				if err := os.Chmod(path, 0o640); err != nil {
					t.Fatal(err)
				}
				before := fileOf(t, path)
				wantFault(t, w, fault)
				if after := fileOf(t, path); after != before {
					t.Errorf("a file of %s is %+v, was %+v", name, after, before)
				}
				wantNames(t, filepath.Dir(path), "file")
			}

			w := newWorkspace(t)
			newDir(t, w, "d")
			wantFault(t, w, fault)
			wantNames(t, filepath.Join(w.Root(), "d"))
		})
	}
}

// wantFault checks that a fault is reported, with its errno.
func wantFault(t *testing.T, w *Workspace, faults ...string) {
	t.Helper()
	said, _ := injected(t, "replaceOnce", w, "new", faults...)
	for text, errno := range map[string]error{
		"EPERM": syscall.EPERM, "ENOSPC": syscall.ENOSPC, "EIO": syscall.EIO, "EDQUOT": syscall.EDQUOT,
	} {
		if strings.Contains(faults[0], text) != strings.HasSuffix(said, errno.Error()) {
			t.Errorf("%s: said %q", faults, said)
		}
	}
}

// file is what a failed replacement must not change, times of access aside.
type file struct {
	inode, links uint64
	mode         os.FileMode
	content      string
}

func fileOf(t testing.TB, path string) file {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	stat := info.Sys().(*syscall.Stat_t)
	return file{stat.Ino, uint64(stat.Nlink), info.Mode(), string(content)}
}

// Without hard links a file is replaced all the same; only the failure of the
// last step then leaves the new one.
func TestReplaceWithoutHardLinks(t *testing.T) {
	for _, errno := range []string{"EPERM", "EOPNOTSUPP", "EMLINK", "ENOSPC"} {
		w := newWorkspace(t)
		path := plant(t, w.Root(), "d/file", "old")
		none := "linkat:error=" + errno
		if said, _ := injected(t, "replaceOnce", w, "new", none); said != "done" {
			t.Errorf("%s: %s", none, said)
		}
		wantContent(t, path, "new")
		wantNames(t, filepath.Dir(path), "file")

		wantFault(t, w, "fsync:error=EIO:when=2", none)
		wantContent(t, path, "new")
		wantNames(t, filepath.Dir(path), "file")
	}
}

// A symlink was to go; it is not put back, and where it led is not touched.
func TestFailedReplaceOfASymlinkFollowsNothing(t *testing.T) {
	w := newWorkspace(t)
	outside := plant(t, t.TempDir(), "outside", "kept")
	newDir(t, w, "d")
	symlink(t, outside, filepath.Join(w.Root(), "d", "file"))
	wantFault(t, w, "fsync:error=EIO:when=2")
	wantNames(t, filepath.Join(w.Root(), "d"))
	wantContent(t, outside, "kept")
}

// An error of going back is told as well, in the same line.
func TestFailureToGoBackIsReported(t *testing.T) {
	w := newWorkspace(t)
	path := plant(t, w.Root(), "d/file", "old")
	said, _ := injected(t, "replaceOnce", w, "new", "fsync:error=EIO:when=2", "renameat:error=EROFS:when=2")
	for _, part := range []string{"sync d: input/output error", "going back failed too", "read-only file system"} {
		if !strings.Contains(said, part) || strings.Contains(said, "\n") {
			t.Errorf("said %q, want %q in it", said, part)
		}
	}
	wantContent(t, path, "new")
}

// writeOnce replaces a snapshot under the lock.
func writeOnce(w *Workspace, content string) error {
	lock, err := w.Lock(context.Background(), "A-0001", patience)
	if err != nil {
		return err
	}
	if err := lock.Dir().Replace("A-0001", []byte(content)); err != nil {
		return err
	}
	if err := lock.Release(); err != nil {
		return err
	}
	fmt.Println("done")
	return nil
}

// Killed before any of its changes, a writer leaves the old or the new file, whole
// and private, and nothing that the next writer does not clear at once.
func TestWriterKilledAtEachStep(t *testing.T) {
	gone := ended(t, newWorkspace(t))
	const staged = "datarim/snapshots/.lock.A-0001.ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for name, test := range map[string]struct {
		old           string
		stale, staged bool
	}{
		"nothing there":                            {},
		"an old file, a stale lock":                {old: "old", stale: true},
		"an old file, another taker's staged lock": {old: "old", staged: true},
	} {
		t.Run(name, func(t *testing.T) {
			prepare := func(t *testing.T) *Workspace {
				w := newWorkspace(t)
				newDir(t, w, SnapshotFolder)
				if test.old != "" {
					plant(t, w.Root(), "datarim/snapshots/A-0001", test.old)
				}
				if test.stale {
					abandon(t, w, "A-0001", gone)
				}
				if test.staged {
					plant(t, w.Root(), staged+"/owner.0", encode(t, newOwner()))
				}
				return w
			}
			killedAtEachStep(t, prepare, "writeOnce", "new", func(t *testing.T, w *Workspace) {
				snapshots := filepath.Join(w.Root(), "datarim", "snapshots")
				data, err := os.ReadFile(filepath.Join(snapshots, "A-0001"))
				if got := string(data); got != test.old && got != "new" || err != nil && test.old != "" {
					t.Errorf("the file holds %q, %v", data, err)
				}
				// While its maker could make a lock of it, it has its owner.
				if dir, err := w.OpenDir(staged); err == nil {
					if owner, _ := lastOwner(dir); owner == nil {
						t.Error("a staged lock was emptied where it was")
					}
					dir.Close()
				}
				lock, err := w.Lock(t.Context(), "A-0001", 0) // without a wait
				if err != nil {
					t.Fatal(err)
				}
				if err := lock.Dir().Replace("A-0001", []byte("next")); err != nil {
					t.Fatal(err)
				}
				wantNames(t, snapshots, ".lock.A-0001", "A-0001")
				release(t, lock)
				wantNames(t, snapshots, "A-0001")
				if got := fileOf(t, filepath.Join(snapshots, "A-0001")); got.mode != 0o600 || got.links != 1 || got.content != "next" {
					t.Errorf("the file is %+v", got)
				}
			})
		})
	}
}
