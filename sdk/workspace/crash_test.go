//go:build linux || darwin

package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// What takers that were killed have left, at whatever step, goes with the next
// one, and no other task's does.
func TestNextTakerClearsDebrisAtOnce(t *testing.T) {
	w := newWorkspace(t)
	gone, elsewhere := ended(t, w), newOwner()
	elsewhere.Host += "x"
	snapshots := filepath.Join(w.Root(), "datarim", "snapshots")

	newDir(t, w, "datarim/snapshots/.lock.A-0001."+newOwner().Token) // killed after mkdir
	abandonFile(t, w, "A-0001."+newOwner().Token, "owner.0", "{")    // while writing the owner
	abandon(t, w, "A-0001."+gone.Token, gone)                        // before the rename
	abandon(t, w, "A-0001."+elsewhere.Token, elsewhere)              // on another host
	abandonFile(t, w, "A-0001."+newOwner().Token, ".tmp.x", "")      // after its release
	abandon(t, w, "A-0002."+gone.Token, gone)
	abandon(t, w, "A-00011."+gone.Token, gone)
	outside := plant(t, t.TempDir(), "kept/file", "kept")
	planted := ".lock.A-0001." + newOwner().Token
	symlink(t, filepath.Dir(outside), filepath.Join(snapshots, planted))

	lock := mustLock(t, w, "A-0001")
	left := []string{".lock.A-0001", planted, ".lock.A-00011." + gone.Token, ".lock.A-0002." + gone.Token, ".lock.Z-0001"}
	wantNames(t, snapshots, left...)
	release(t, lock)
	wantNames(t, snapshots, left[1:]...)
	wantContent(t, outside, "kept")
}

// A holder clears the directory of a maker who is putting the owner file into it,
// and nothing is left when both are done.
func TestNothingIsLeftOfAMakerThatIsClearedAway(t *testing.T) {
	w := newWorkspace(t)
	dir := newDir(t, w, SnapshotFolder)
	holder := &Lock{dir: dir, name: ".lock.A-0001", owner: newOwner()}
	for range 2000 {
		maker := &Lock{dir: dir, name: ".lock.A-0001", owner: newOwner()}
		if err := dir.mkdir(maker.stagedName(), 0o700); err != nil {
			t.Fatal(err)
		}
		staged, err := dir.open(maker.stagedName())
		if err != nil {
			t.Fatal(err)
		}
		var making sync.WaitGroup
		making.Go(func() {
			if err := orTooLate(staged.create(ownerFile(0), maker.owner.write)); err != nil && err != errTooLate {
				t.Error(err)
			}
		})
		holder.clearDebris()
		making.Wait()
		staged.Close()
		wantNames(t, filepath.Join(w.Root(), "datarim", "snapshots"))
	}
}

// rewrite replaces a snapshot under the lock until it is killed.
func rewrite(w *Workspace, taskID string) error {
	fmt.Println("started")
	for i := 0; ; i++ {
		lock, err := w.Lock(context.Background(), taskID, patience)
		if err != nil {
			return err
		}
		if err := lock.Dir().Replace(taskID, wholeFile(i)); err != nil {
			return err
		}
		if err := lock.Release(); err != nil {
			return err
		}
	}
}

// wholeFile has 8,192 bytes, all of them the same.
func wholeFile(i int) []byte {
	data := make([]byte, 8192)
	for at := range data {
		data[at] = 'a' + byte(i%26)
	}
	return data
}

// At whatever instant a writer is killed, the file is whole and the next writer
// takes the lock and leaves nothing but the file.
func TestKilledWriterLeavesAWholeFileAndNoDebris(t *testing.T) {
	w := newWorkspace(t)
	snapshots := filepath.Join(w.Root(), "datarim", "snapshots")
	plant(t, w.Root(), "datarim/snapshots/A-0001", string(wholeFile(0)))
	for i := range 30 {
		victim := start(t, "rewrite", w, "A-0001")
		victim.line()
		time.Sleep(time.Duration(i*137) * time.Microsecond) // to spread the instants
		victim.kill()

		wantWhole(t, filepath.Join(snapshots, "A-0001"))
		lock := mustLock(t, w, "A-0001")
		if err := lock.Dir().Replace("A-0001", wholeFile(i)); err != nil {
			t.Fatal(err)
		}
		release(t, lock)
		wantNames(t, snapshots, "A-0001")
	}
}

func wantWhole(t testing.TB, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil || len(data) != 8192 || string(data) != string(wholeFile(int(data[0]-'a'))) {
		t.Fatalf("the file is not whole: %d bytes, %v", len(data), err)
	}
}
