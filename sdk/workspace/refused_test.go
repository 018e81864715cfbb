//go:build linux || darwin

package workspace

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// What is at the lock's name and no directory is no holder to wait for.
func TestOnlyADirectoryAtTheLocksNameIsWaitedFor(t *testing.T) {
	outside := plant(t, t.TempDir(), "directory/file", "kept")
	for kind, plant := range map[Kind]func(t *testing.T, path string) error{
		KindFile:    func(_ *testing.T, path string) error { return os.WriteFile(path, nil, 0o600) },
		KindFIFO:    func(_ *testing.T, path string) error { return syscall.Mkfifo(path, 0o600) },
		KindSymlink: func(_ *testing.T, path string) error { return os.Symlink(filepath.Dir(outside), path) },
		KindSocket: func(t *testing.T, path string) error {
			t.Chdir(filepath.Dir(path)) // since the path of a socket is limited
			socket, err := net.Listen("unix", filepath.Base(path))
			if err == nil {
				t.Cleanup(func() { socket.Close() })
			}
			return err
		},
		KindDevice: func(t *testing.T, path string) error {
			if os.Getuid() != 0 {
				t.Skip("only root may make devices")
			}
			return unix.Mknod(path, unix.S_IFCHR|0o600, int(unix.Mkdev(1, 3)))
		},
	} {
		t.Run(string(kind), func(t *testing.T) {
			w := newWorkspace(t)
			newDir(t, w, SnapshotFolder)
			path := filepath.Join(w.Root(), "datarim", "snapshots", ".lock.A-0001")
			if err := plant(t, path); err != nil {
				t.Fatal(err)
			}
			before, err := os.Lstat(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Lock(t.Context(), "A-0001", time.Hour); !isKind(err, kind) {
				t.Errorf("Lock: %v, want a KindError", err)
			}
			if cleared, err := w.Unlock("A-0001"); cleared || !isKind(err, kind) {
				t.Errorf("Unlock: %v, %v, want a KindError", cleared, err)
			}
			after, err := os.Lstat(path)
			if err != nil || !os.SameFile(before, after) {
				t.Errorf("it was touched: %v", err)
			}
			wantNames(t, filepath.Dir(path), ".lock.A-0001")
		})
	}
	wantContent(t, outside, "kept")
}

func TestNameTooLongIsAnErrorAtOnce(t *testing.T) {
	w := newWorkspace(t)
	// With the second, the lock's own name just fits, and the one it is made under
	// does not.
	for _, length := range []int{300, 255 - len(lockPrefix)} {
		if _, err := w.Lock(t.Context(), strings.Repeat("A", length), time.Hour); !errors.Is(err, syscall.ENAMETOOLONG) {
			t.Errorf("Lock of a name of %d bytes: %v, want ENAMETOOLONG", length, err)
		}
	}
	wantNames(t, filepath.Join(w.Root(), "datarim", "snapshots"))

	for _, long := range []string{"/" + strings.Repeat("directory/", 410), "/" + strings.Repeat("x", 4096)} {
		if _, err := Open(long); !errors.Is(err, syscall.ENAMETOOLONG) {
			t.Errorf("Open of a path of %d bytes: %.40v, want ENAMETOOLONG", len(long), err)
		}
	}
	if _, err := Find(w.Root() + "/" + strings.Repeat("x", 4096)); !errors.Is(err, syscall.ENAMETOOLONG) {
		t.Errorf("Find: %.40v, want ENAMETOOLONG", err)
	}
}

func TestSnapshotsInAFileIsAnErrorAtOnce(t *testing.T) {
	for _, name := range []string{"datarim", "datarim/snapshots"} {
		w := newWorkspace(t)
		path := plant(t, w.Root(), name, "kept")
		if _, err := w.Lock(t.Context(), "A-0001", time.Hour); !isKind(err, KindFile) {
			t.Errorf("Lock where %s is a file: %v, want a KindError", name, err)
		}
		wantContent(t, path, "kept")
	}
}

// A snapshots directory that was removed under a taker is none to wait for.
func TestRemovedSnapshotsDirectoryIsAnErrorAtOnce(t *testing.T) {
	w := newWorkspace(t)
	lock := &Lock{dir: newDir(t, w, SnapshotFolder), name: ".lock.A-0001", owner: newOwner()}
	if err := os.Remove(filepath.Join(w.Root(), "datarim", "snapshots")); err != nil {
		t.Fatal(err)
	}
	if err := lock.wait(t.Context(), time.Hour); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("wait: %v, want ErrNotExist", err)
	}
}

// No name of a root means anything but that directory.
func TestStrangeRootNamesAreOrdinaryDirectories(t *testing.T) {
	for _, name := range []string{
		"new\nline", "-rf", "--", " ", " spaces on both ends ", "tab\t", "ünïcödé-日本-🙂", "bad utf-8 \xff", "'quotes\"",
		"$HOME", "*", `back\slash`, "a:b", "...", "datarim2", "Datarim", "%s{{.}}",
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			t.Chdir(top)
			if err := os.Mkdir(name, 0o755); err != nil {
				if errors.Is(err, syscall.EILSEQ) { // which macOS says to what is no UTF-8
					return
				}
				t.Fatal(err)
			}
			plant(t, name, "datarim/tasks.md", "")
			found, err := Find(filepath.Join(name, "datarim"))
			if err != nil || filepath.Base(found) != name {
				t.Errorf("Find = %q, %v, want %q", found, err, name)
			}
			w := openWorkspace(t, name)
			lock := mustLock(t, w, "A-0001")
			if err := lock.Dir().Replace("file", []byte("data")); err != nil {
				t.Error(err)
			}
			if err := lock.Dir().Move("file", newDir(t, w, "archive"), "moved"); err != nil {
				t.Error(err)
			}
			release(t, lock)
			wantContent(t, filepath.Join(name, "archive", "moved"), "data")
			wantNames(t, filepath.Join(name, "datarim", "snapshots"))
			wantNames(t, top, name)
		})
	}
}
