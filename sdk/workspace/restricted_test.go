//go:build linux || darwin

package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// underUmask makes one of everything under a umask, given in octal, as a user
// that permissions bind.
func underUmask(w *Workspace, umask string) error {
	mask, err := strconv.ParseUint(umask, 8, 16)
	if err != nil {
		return err
	}
	if err := dropPrivileges(); err != nil {
		return err
	}
	syscall.Umask(int(mask))
	lock, err := w.Lock(context.Background(), "A-0001", patience)
	if err != nil {
		return err
	}
	if err := lock.Dir().Replace("file", []byte("data")); err != nil {
		return err
	}
	if err := lock.Dir().Replace("moved", []byte("data")); err != nil {
		return err
	}
	archive, err := w.MakeDir("archive/area/snapshots", 0o755)
	if err != nil {
		return err
	}
	defer archive.Close()
	if err := lock.Dir().Move("moved", archive, "moved"); err != nil {
		return err
	}
	fmt.Println("made") // and leave the lock to be looked at
	return nil
}

func TestModesUnderAnyUmask(t *testing.T) {
	for _, umask := range []string{"0", "022", "027", "077", "0177", "0277", "0777"} {
		t.Run(umask, func(t *testing.T) {
			w := newWorkspace(t)
			letAnyoneIn(t, w)
			actor := start(t, "umask", w, umask)
			if said := actor.line(); said != "made" {
				t.Fatal(said)
			}
			actor.wantDone(t)
			for name, want := range map[string]fs.FileMode{
				"datarim/snapshots":                      0o700,
				"datarim/snapshots/.lock.A-0001":         0o700,
				"datarim/snapshots/.lock.A-0001/owner.0": 0o600,
				"datarim/snapshots/file":                 0o600,
				"archive":                                0o755,
				"archive/area/snapshots":                 0o755,
				"archive/area/snapshots/moved":           0o600,
			} {
				wantMode(t, filepath.Join(w.Root(), filepath.FromSlash(name)), want)
			}
		})
	}
}

// The temporary file is closed to others before it has any content.
func TestTemporaryFileIsPrivate(t *testing.T) {
	dir := newDir(t, newWorkspace(t), "d")
	_, err := dir.createTemp("file", func(file *os.File) error {
		info, err := file.Stat()
		if err == nil && info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v, want 0600", info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// asNobody reports what a user that permissions bind gets from a lock.
func asNobody(w *Workspace, _ string) error {
	if err := dropPrivileges(); err != nil {
		return err
	}
	_, err := w.Lock(context.Background(), "A-0001", patience)
	fmt.Println(errors.Is(err, fs.ErrPermission), err)
	return nil
}

func TestReadOnlyDirectoryIsAnErrorAtOnce(t *testing.T) {
	for _, dir := range []string{".", "datarim", "datarim/snapshots"} {
		t.Run(dir, func(t *testing.T) {
			w := newWorkspace(t)
			if dir != "." {
				newDir(t, w, dir)
			}
			letAnyoneIn(t, w)
			path := filepath.Join(w.Root(), filepath.FromSlash(dir))
			if err := os.Chmod(path, 0o555); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.Chmod(path, 0o755) })
			said := start(t, "nobody", w, "").line()
			if want := "true mkdir datarim"; len(said) < len(want) || said[:len(want)] != want {
				t.Errorf("Lock: %q, want a permission error of mkdir", said)
			}
		})
	}
}

// Another user's lock cannot be looked into, and may be held.
func TestUnreadableLockIsHeld(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs a second user")
	}
	w := newWorkspace(t)
	newDir(t, w, SnapshotFolder)
	letAnyoneIn(t, w)
	release(t, mustLock(t, w, "B-0001")) // restricts the directory first
	abandon(t, w, "A-0001", ended(t, w))
	if err := os.Chmod(filepath.Join(w.Root(), "datarim", "snapshots", ".lock.A-0001"), 0o700); err != nil {
		t.Fatal(err)
	}
	said := start(t, "tryAsNobody", w, "").line()
	if want := "held"; said != want {
		t.Errorf("Lock: %q, want %q", said, want)
	}
}

func tryAsNobody(w *Workspace, _ string) error {
	if err := dropPrivileges(); err != nil {
		return err
	}
	_, err := w.Lock(context.Background(), "A-0001", 0)
	if held, ok := errors.AsType[*LockTimeoutError](err); ok && held.Owner == nil {
		fmt.Println("held")
		return nil
	}
	return err
}

// onFullDisk replaces a file where no file may grow beyond 4,096 bytes.
func onFullDisk(w *Workspace, _ string) error {
	limit := syscall.Rlimit{Cur: 4096, Max: 4096}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	dir, err := w.OpenDir("d")
	if err != nil {
		return err
	}
	defer dir.Close()
	err = dir.Replace("file", bytes.Repeat([]byte("x"), 8192))
	fmt.Println(errors.Is(err, syscall.EFBIG), err)
	return nil
}

func TestFailedWriteKeepsTheOldFile(t *testing.T) {
	w := newWorkspace(t)
	path := plant(t, w.Root(), "d/file", "old")
	said := start(t, "fullDisk", w, "").line()
	if want := "true write d/.tmp.file."; len(said) < len(want) || said[:len(want)] != want {
		t.Errorf("Replace: %q, want EFBIG from writing", said)
	}
	wantContent(t, path, "old")
	wantNames(t, filepath.Dir(path), "file")
}

// nobody is a user without any rights of its own.
const nobody = 65534

// dropPrivileges makes root, which no permission binds, another user.
func dropPrivileges() error {
	if os.Getuid() != 0 {
		return nil
	}
	return errors.Join(syscall.Setgroups(nil), syscall.Setgid(nobody), syscall.Setuid(nobody))
}

// letAnyoneIn gives the workspace to the user that dropPrivileges changes to,
// and opens the way to it.
func letAnyoneIn(t testing.TB, w *Workspace) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	if err := os.Chmod(filepath.Dir(w.Root()), 0o755); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(w.Root(), func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, nobody, nobody))
	})
	if err != nil {
		t.Fatal(err)
	}
}
