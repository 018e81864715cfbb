//go:build linux || darwin

package workspace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

const (
	swappedSnapshot = "datarim/snapshots/A-0001.snapshot.md"
	swappedArchive  = "documentation/archive/general/snapshots"
	swapSlot        = "swapped-out"
)

// untilInputEnds runs step over and over.
func untilInputEnds(step func() error) error {
	var over atomic.Bool
	go func() {
		io.Copy(io.Discard, os.Stdin)
		over.Store(true)
	}()
	fmt.Println("started")
	for !over.Load() {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// swapName exchanges a name for a link out of the workspace, a link within it, and
// a FIFO, and back, over and over. The argument is the name and the links' targets.
func swapName(w *Workspace, argument string) error {
	words := strings.Split(argument, "\n")
	path, slot := filepath.Join(w.Root(), words[0]), filepath.Join(w.Root(), swapSlot)
	turn := 0
	return untilInputEnds(func() error {
		turn++
		// What a swap that went wrong has left: at most a lock or a snapshot.
		if err := w.root.RemoveAll(swapSlot); err != nil {
			return err
		}
		var err error
		if target := turn % len(words); target > 0 {
			err = os.Symlink(words[target], slot)
		} else {
			err = syscall.Mkfifo(slot, 0o600)
		}
		if err == nil && exchange(path, slot) == nil {
			_ = exchange(path, slot)
		}
		return err
	})
}

// swapStaged puts a link in the place of every file and directory that is made
// under another name first, as soon as it sees one.
func swapStaged(w *Workspace, target string) error {
	return untilInputEnds(func() error {
		for _, name := range []string{SnapshotFolder, swappedArchive} {
			dir, err := w.OpenDir(name)
			if err != nil {
				continue
			}
			names, _ := dir.Names()
			for _, name := range names {
				if strings.HasPrefix(name, ".tmp.") || isTokenAfter(".lock.A-0001.", name) {
					if dir.root.Rename(name, "."+newOwner().Token) == nil {
						_ = dir.root.Symlink(target, name)
					}
				}
			}
			dir.Close()
		}
		return nil
	})
}

// writeAndMove does all that this package does to files, and returns the first
// error. It puts right what a swap has broken, so that the next round has a lock.
func writeAndMove(t *testing.T, w *Workspace) error {
	lock, err := w.Lock(t.Context(), "A-0001", firstPause)
	if err != nil {
		_, unlocked := w.Unlock("A-0001")
		_ = w.root.RemoveAll("datarim/snapshots/.lock.A-0001")
		return errors.Join(err, unlocked)
	}
	name := filepath.Base(swappedSnapshot)
	written := lock.Dir().Replace(name, []byte("data"))
	data, _, read := w.Read(swappedSnapshot, 100)
	if read == nil && string(data) != "data" {
		t.Errorf("read %q", data)
	}
	archive, moved := w.MakeDir(swappedArchive, 0o755)
	if moved == nil {
		moved = lock.Dir().Move(name, archive, "final")
		archive.Close()
	}
	released := lock.Release()
	if released != nil {
		_ = w.root.RemoveAll("datarim/snapshots/.lock.A-0001")
	}
	return errors.Join(written, read, moved, released)
}

// swapRounds is how often a test writes at least, and at most to have met both a
// swap and none.
const swapRounds, maxSwapRounds = 30, 5000

// While a name is swapped between check and use, no call waits for ever and none
// touches anything outside the workspace, nor elsewhere in it.
func TestSwappedNameLeadsNowhere(t *testing.T) {
	for _, name := range []string{
		"datarim", "datarim/snapshots", "datarim/snapshots/.lock.A-0001", swappedSnapshot,
		"documentation", "documentation/archive", "documentation/archive/general", swappedArchive,
		swappedArchive + "/final", "what is made under another name first",
	} {
		t.Run(strings.ReplaceAll(name, "/", " "), func(t *testing.T) {
			w := newWorkspace(t)
			outside, inside := decoy(t, t.TempDir()), decoy(t, filepath.Join(w.Root(), "decoy"))
			before := treeOf(t, outside, inside)

			var swapper *actor
			switch {
			case strings.Contains(name, " "):
				swapper = start(t, "swapStaged", w, outside)
			case strings.HasSuffix(name, ".md"), strings.HasSuffix(name, "final"):
				swapper = start(t, "swapName", w, strings.Join([]string{name, outside + "/file", inside + "/file"}, "\n"))
			default:
				swapper = start(t, "swapName", w, strings.Join([]string{name, outside, inside}, "\n"))
			}
			if said := swapper.line(); said != "started" {
				t.Fatal(said)
			}
			withinPatience(t, func() {
				var done, refused int
				for round := 0; round < swapRounds || round < maxSwapRounds && done*refused == 0; round++ {
					if writeAndMove(t, w) == nil {
						done++
					} else {
						refused++
					}
				}
				t.Logf("%d done, %d refused", done, refused)
				if done*refused == 0 {
					t.Errorf("%d done, %d refused, want both", done, refused)
				}
			})
			swapper.input.Close()
			swapper.wantDone(t)
			if after := treeOf(t, outside, inside); !maps.Equal(after, before) {
				t.Errorf("the decoys are %v, were %v", after, before)
			}
		})
	}
}

// withinPatience fails the test when what it runs does not end.
func withinPatience(t *testing.T, run func()) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		run()
	}()
	select {
	case <-ended:
	case <-time.After(patience):
		t.Fatal("a call hangs")
	}
}

// decoy makes a directory that looks like each of those that are swapped.
func decoy(t testing.TB, dir string) string {
	t.Helper()
	for _, name := range []string{
		"file", "final", "A-0001.snapshot.md", "snapshots/A-0001.snapshot.md",
		"archive/general/snapshots/final", "general/snapshots/final", "snapshots/final",
	} {
		plant(t, dir, name, "decoy")
	}
	return dir
}

// treeOf describes all that is below some directories, by its path.
func treeOf(t testing.TB, dirs ...string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := entry.Info()
			if err != nil {
				return err
			}
			stat := info.Sys().(*syscall.Stat_t)
			tree[path] = fmt.Sprint(info.Mode(), info.ModTime(), info.Size(), stat.Ino, stat.Nlink)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return tree
}
