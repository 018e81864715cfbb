package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func init() { roles["moveOnce"] = moveOnce }

// moved is what the tests move: more than one block of a copy.
var moved = strings.Repeat("0123456789abcdef", 5000)

// moveOnce moves a snapshot to the archive under the lock.
func moveOnce(w *Workspace, _ string) error {
	lock, err := w.Lock(context.Background(), "A-0001", patience)
	if err != nil {
		return err
	}
	archive, err := w.OpenDir("archive")
	if err != nil {
		return err
	}
	defer archive.Close()
	moved := lock.Dir().Move("A-0001", archive, "final")
	if err := lock.Release(); err != nil {
		return err
	}
	if moved != nil {
		fmt.Println(moved)
		return nil
	}
	fmt.Println("done")
	return nil
}

// archived returns a workspace with a snapshot of mode 0640 and an archive, which
// is a file system of its own if its options are given.
func archived(t *testing.T, mounted bool, options string) (w *Workspace, snapshots, archive string) {
	t.Helper()
	w = newWorkspace(t)
	newDir(t, w, "archive")
	snapshots, archive = filepath.Join(w.Root(), "datarim", "snapshots"), filepath.Join(w.Root(), "archive")
	if err := os.Chmod(plant(t, w.Root(), "datarim/snapshots/A-0001", moved), 0o640); err != nil {
		t.Fatal(err)
	}
	if mounted {
		mountAt(t, "tmpfs", archive, "tmpfs", 0, options)
	}
	return w, snapshots, archive
}

// eachFileSystem runs a test with the archive on the file system of the snapshots,
// and on another.
func eachFileSystem(t *testing.T, test func(t *testing.T, mounted bool)) {
	t.Run("one file system", func(t *testing.T) { test(t, false) })
	t.Run("two file systems", func(t *testing.T) { test(t, true) })
}

func TestMoveAcrossFileSystems(t *testing.T) {
	w, snapshots, archive := archived(t, true, "")
	plant(t, w.Root(), "archive/.tmp.final.ABCDEFGHIJKLMNOPQRSTUVWXYZ", "of a killed mover")
	from, to := newDir(t, w, SnapshotFolder), newDir(t, w, "archive")
	if err := from.Move("A-0001", to, "final"); err != nil {
		t.Fatal(err)
	}
	wantNames(t, snapshots)
	wantNames(t, archive, "final")
	wantContent(t, filepath.Join(archive, "final"), moved)
	wantMode(t, filepath.Join(archive, "final"), 0o600)

	plant(t, snapshots, "A-0001", "different")
	before := fileOf(t, filepath.Join(snapshots, "A-0001"))
	if err := from.Move("A-0001", to, "final"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Move: %v, want the target to be taken", err)
	}
	if after := fileOf(t, filepath.Join(snapshots, "A-0001")); after != before {
		t.Errorf("the source is %+v, was %+v", after, before)
	}
	wantNames(t, archive, "final")
	wantContent(t, filepath.Join(archive, "final"), moved)
}

// A mover that is killed before any of its changes leaves one whole copy at least,
// and the next run finishes and clears all that it left.
func TestMoverKilledAtEachStep(t *testing.T) {
	eachFileSystem(t, func(t *testing.T, mounted bool) {
		prepare := func(t *testing.T) *Workspace {
			w, _, _ := archived(t, mounted, "")
			return w
		}
		killedAtEachStep(t, prepare, "moveOnce", "", func(t *testing.T, w *Workspace) {
			snapshots, archive := filepath.Join(w.Root(), "datarim", "snapshots"), filepath.Join(w.Root(), "archive")
			source, _ := os.ReadFile(filepath.Join(snapshots, "A-0001"))
			target, err := os.ReadFile(filepath.Join(archive, "final"))
			if string(source) != moved && string(target) != moved || err == nil && string(target) != moved {
				t.Fatalf("source of %d bytes, target of %d", len(source), len(target))
			}
			lock, err := w.Lock(t.Context(), "A-0001", 0)
			if err != nil {
				t.Fatal(err)
			}
			err = lock.Dir().Move("A-0001", newDir(t, w, "archive"), "final")
			if err != nil && (!errors.Is(err, fs.ErrNotExist) || string(target) != moved) {
				t.Error(err)
			}
			release(t, lock)
			wantNames(t, snapshots)
			wantNames(t, archive, "final")
			wantContent(t, filepath.Join(archive, "final"), moved)
			wantMode(t, filepath.Join(archive, "final"), 0o600)
		})
	})
}

// Whatever step fails, the source is the very file that it was and the target is
// not there.
func TestFailedStepOfMoveLeavesTheSourceUntouched(t *testing.T) {
	eachFileSystem(t, func(t *testing.T, mounted bool) {
		faults := []string{
			"fchmod:error=EIO:when=3", // after those of the directory and the owner file
			"renameat2:error=EIO:when=2",
			"fsync:error=EIO:when=1",
			"fsync:error=EIO:when=2",
		}
		if mounted {
			faults = []string{
				"fchmod:error=EIO:when=3",
				"fchmod:error=EIO:when=4",
				"fsync:error=EIO:when=1",
				"renameat2:error=EIO:when=3", // after those of the lock and of the try
				"fsync:error=EIO:when=2",
				"unlinkat:error=EIO:when=1",
			}
		}
		for _, fault := range faults {
			t.Run(fault, func(t *testing.T) {
				w, snapshots, archive := archived(t, mounted, "")
				before := fileOf(t, filepath.Join(snapshots, "A-0001"))
				if said, _ := injected(t, "moveOnce", w, "", fault); !strings.HasSuffix(said, syscall.EIO.Error()) {
					t.Errorf("said %q", said)
				}
				if after := fileOf(t, filepath.Join(snapshots, "A-0001")); after.inode != before.inode || after.mode != before.mode || after.content != before.content {
					t.Errorf("the source has mode %v, had %v", after.mode, before.mode)
				}
				wantNames(t, snapshots, "A-0001")
				wantNames(t, archive)
			})
		}
	})
}

func TestMoveToAFullFileSystemLeavesTheSourceUntouched(t *testing.T) {
	for name, options := range map[string]string{
		"some of the bytes fit": "size=64k",
		"not even the name":     "nr_inodes=1",
	} {
		t.Run(name, func(t *testing.T) {
			w, snapshots, archive := archived(t, true, options)
			from, to := newDir(t, w, SnapshotFolder), newDir(t, w, "archive")
			before := fileOf(t, filepath.Join(snapshots, "A-0001"))
			if err := from.Move("A-0001", to, "final"); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("Move: %v, want ENOSPC", err)
			}
			if after := fileOf(t, filepath.Join(snapshots, "A-0001")); after != before {
				t.Errorf("the source has mode %v, had %v", after.mode, before.mode)
			}
			wantNames(t, archive)
		})
	}
}

// A copy that is there already needs no more room.
func TestMoveFinishesOnAFullFileSystem(t *testing.T) {
	w, snapshots, archive := archived(t, true, "nr_inodes=2")
	plant(t, archive, "final", moved)
	if err := newDir(t, w, SnapshotFolder).Move("A-0001", newDir(t, w, "archive"), "final"); err != nil {
		t.Error(err)
	}
	wantNames(t, snapshots)
	wantNames(t, archive, "final")
}
