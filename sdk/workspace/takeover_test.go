//go:build linux || darwin

package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// ended returns the owner that a process was which has ended.
func ended(t testing.TB, w *Workspace) Owner {
	t.Helper()
	child := start(t, "hold", w, "Z-0001")
	if child.line() != "held" {
		t.Fatal("the child does not hold its lock")
	}
	owner := newOwner()
	owner.PID = child.Process.Pid
	owner.StartTime, _, _ = processStart(owner.PID)
	if owner.dead() {
		t.Fatal("a running process is judged dead")
	}
	child.kill()
	return owner
}

// abandon makes a lock that an owner left behind.
func abandon(t testing.TB, w *Workspace, taskID string, owner Owner) string {
	t.Helper()
	data, err := json.Marshal(owner)
	if err != nil {
		t.Fatal(err)
	}
	name := "datarim/snapshots/.lock." + taskID
	return filepath.Dir(plant(t, w.Root(), name+"/"+ownerFile(0), string(data)))
}

func TestOwnerIsDeadOnlyOnProof(t *testing.T) {
	w := newWorkspace(t)
	gone := ended(t, w)
	for _, test := range []struct {
		name   string
		change func(*Owner)
		dead   bool
	}{
		{"gone", func(*Owner) {}, true},
		{"process ID reused", func(o *Owner) { o.PID = os.Getpid() }, true},
		{"alive", func(o *Owner) { o.PID, o.StartTime = os.Getpid(), self().StartTime }, false},
		{"another host", func(o *Owner) { o.Host += "x" }, false},
		{"no host", func(o *Owner) { o.Host = "" }, false},
		{"another boot", func(o *Owner) { o.BootID += "x" }, false},
		{"no boot", func(o *Owner) { o.BootID = "" }, false},
		{"another container", func(o *Owner) { o.Namespaces += "x" }, false},
		{"no start time", func(o *Owner) { o.StartTime = "" }, false},
		{"no process", func(o *Owner) { o.PID = 0 }, false},
		{"a process group", func(o *Owner) { o.PID = -gone.PID }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			owner := gone
			test.change(&owner)
			abandon(t, w, "A-0001", owner)
			if test.dead {
				release(t, mustLock(t, w, "A-0001"))
			} else if held := wantHeld(t, w, "A-0001"); held.Owner == nil || *held.Owner != owner {
				t.Errorf("owner %+v, want %+v", held.Owner, owner)
			}
		})
	}
}

// A killed process whose parent never waits for it stays in the process table.
func TestZombieIsDead(t *testing.T) {
	w := newWorkspace(t)
	child := start(t, "hold", w, "A-0001")
	if child.line() != "held" {
		t.Fatal("the child does not hold the lock")
	}
	child.Process.Signal(syscall.SIGKILL)
	release(t, mustLock(t, w, "A-0001"))
}

func TestStoppedHolderIsAlive(t *testing.T) {
	w := newWorkspace(t)
	child := start(t, "hold", w, "A-0001")
	if child.line() != "held" {
		t.Fatal("the child does not hold the lock")
	}
	child.Process.Signal(syscall.SIGSTOP)
	if held := wantHeld(t, w, "A-0001"); held.Owner.PID != child.Process.Pid {
		t.Errorf("owner %+v, want process %d", held.Owner, child.Process.Pid)
	}
}

func TestManyTakersOfOneStaleLock(t *testing.T) {
	eachStrategy(t, func(t *testing.T) {
		w := newWorkspace(t)
		abandon(t, w, "A-0001", ended(t, w))
		takeTurns(t, w, 32, 1)
	})
}

// taker returns a taker that is stopped after judging the lock's owner dead.
func taker(t testing.TB, w *Workspace) (lock *Lock, held *Dir, generation int) {
	t.Helper()
	lock = &Lock{dir: newDir(t, w, SnapshotFolder), name: ".lock.A-0001", owner: newOwner()}
	held, err := lock.dir.open(lock.name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { held.Close() })
	owner, generation := lastOwner(held)
	if owner == nil || !owner.dead() {
		t.Fatalf("owner %+v is not dead", owner)
	}
	return lock, held, generation
}

// A taker is stopped between judging and taking over, others go on, and then it
// takes its step.
func TestPausedTakerHasNothing(t *testing.T) {
	for name, meanwhile := range map[string]func(t *testing.T, w *Workspace){
		"another took over and holds": func(t *testing.T, w *Workspace) {
			mustLock(t, w, "A-0001")
		},
		"another took over, released, and a third holds": func(t *testing.T, w *Workspace) {
			release(t, mustLock(t, w, "A-0001"))
			mustLock(t, w, "A-0001")
		},
		"another took over and is half way through its release": func(t *testing.T, w *Workspace) {
			lock := mustLock(t, w, "A-0001")
			if err := lock.dir.root.Rename(lock.name, lock.stagedName()); err != nil {
				t.Fatal(err)
			}
			if err := lock.dir.root.Remove(lock.stagedName() + "/" + ownerFile(1)); err != nil {
				t.Fatal(err)
			}
			// A script, since a writer would clear away what is left.
			newDir(t, w, "datarim/snapshots/.lock.A-0001")
		},
		"another took over and was killed, and a third took over from it": func(t *testing.T, w *Workspace) {
			child := start(t, "hold", w, "A-0001")
			child.line()
			child.kill()
			mustLock(t, w, "A-0001")
		},
		"a script holds": func(t *testing.T, w *Workspace) {
			release(t, mustLock(t, w, "A-0001"))
			newDir(t, w, "datarim/snapshots/.lock.A-0001")
		},
	} {
		t.Run(name, func(t *testing.T) {
			eachStrategy(t, func(t *testing.T) {
				w := newWorkspace(t)
				abandon(t, w, "A-0001", ended(t, w))
				paused, held, generation := taker(t, w)
				meanwhile(t, w)
				before := wantHeld(t, w, "A-0001")

				if taken, err := paused.takeOver(held, generation); taken || err != nil {
					t.Fatalf("takeOver = %v, %v, want it to lose", taken, err)
				}
				after := wantHeld(t, w, "A-0001")
				if (before.Owner == nil) != (after.Owner == nil) || after.Owner != nil && *before.Owner != *after.Owner {
					t.Errorf("the lock changed hands, from %+v to %+v", before.Owner, after.Owner)
				}
			})
		})
	}
}

func TestDebrisIsCleared(t *testing.T) {
	w := newWorkspace(t)
	gone, alive := ended(t, w), newOwner()
	snapshots := filepath.Join(w.Root(), "datarim", "snapshots")
	abandon(t, w, "A-0001."+gone.Token, gone)
	old := filepath.Join(snapshots, ".lock.A-0001."+newOwner().Token)
	fresh := filepath.Join(snapshots, ".lock.A-0001."+newOwner().Token)
	for _, dir := range []string{old, fresh} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	past := time.Now().Add(-2 * debrisAge)
	if err := os.Chtimes(old, past, past); err != nil {
		t.Fatal(err)
	}
	staged := abandon(t, w, "A-0001."+alive.Token, alive)
	others := abandon(t, w, "A-0002."+gone.Token, gone)

	release(t, mustLock(t, w, "A-0001"))
	for path, want := range map[string]bool{fresh: true, staged: true, others: true, old: false} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: left is %v, want %v", filepath.Base(path), err == nil, want)
		}
	}
	if names, _ := os.ReadDir(snapshots); len(names) != 4 { // with that of ended
		t.Errorf("left are %v", names)
	}
}

// contend takes the lock many times. An flock, which the kernel drops with its
// process, tells whether another process holds the lock too.
func contend(w *Workspace, oracle string) error {
	for range 40 {
		lock, err := w.Lock(context.Background(), "A-0001", patience)
		if err != nil {
			return err
		}
		file, err := os.OpenFile(oracle, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			return fmt.Errorf("two holders: %w", err)
		}
		file.Close()
		if err := lock.Release(); err != nil {
			return err
		}
	}
	fmt.Println("done")
	return nil
}

func TestProcessesExcludeEachOther(t *testing.T) {
	w := newWorkspace(t)
	oracle := filepath.Join(t.TempDir(), "oracle")
	var all []*actor
	for range 6 {
		all = append(all, start(t, "contend", w, oracle))
	}
	for range 8 {
		victim := start(t, "contend", w, oracle)
		time.AfterFunc(10*time.Millisecond, func() { victim.Process.Kill() })
		if said := victim.line(); said != "" && said != "done" {
			t.Error(said)
		}
	}
	for _, contender := range all {
		contender.wantDone(t)
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
func TestKilledWriter(t *testing.T) {
	w := newWorkspace(t)
	plant(t, w.Root(), "datarim/snapshots/A-0001", string(wholeFile(0)))
	for i := range 30 {
		victim := start(t, "rewrite", w, "A-0001")
		victim.line()
		time.Sleep(time.Duration(i*137) * time.Microsecond) // to spread the instants
		victim.kill()

		data, _, err := w.Read("datarim/snapshots/A-0001", 8192)
		if err != nil || len(data) != 8192 || string(data) != string(wholeFile(int(data[0]-'a'))) {
			t.Fatalf("the file is not whole: %d bytes, %v", len(data), err)
		}
		lock := mustLock(t, w, "A-0001")
		if err := lock.Dir().Replace("A-0001", wholeFile(i)); err != nil {
			t.Fatal(err)
		}
		release(t, lock)
	}
	lock := mustLock(t, w, "A-0001")
	names, err := lock.Dir().Names()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		info, _ := lock.dir.lstat(name)
		// An empty staged directory is left for a minute.
		if name != "A-0001" && name != lock.name && (!info.IsDir() || !isTokenAfter(lock.name+".", name)) {
			t.Errorf("%s was left", name)
		}
	}
}

// A script takes the same lock with mkdir and gives it back with rmdir.
func TestShellScriptAndLockExclude(t *testing.T) {
	eachStrategy(t, func(t *testing.T) {
		w := newWorkspace(t)
		newDir(t, w, SnapshotFolder)
		script := &actor{Cmd: exec.Command("/bin/sh", "-c",
			`until mkdir "$1" 2>/dev/null; do :; done; echo held; read -r line; rmdir "$1" && echo released`,
			"sh", filepath.Join(w.Root(), "datarim", "snapshots", ".lock.A-0001"))}
		script.start(t)
		if said := script.line(); said != "held" {
			t.Fatalf("the script said %q", said)
		}
		if held := wantHeld(t, w, "A-0001"); held.Owner != nil {
			t.Errorf("owner %+v, want none", held.Owner)
		}
		if _, err := script.input.Write([]byte("go on\n")); err != nil {
			t.Fatal(err)
		}
		lock := mustLock(t, w, "A-0001")
		if said := script.line(); said != "released" {
			t.Fatalf("the script said %q", said)
		}

		path := filepath.Join(w.Root(), "datarim", "snapshots", ".lock.A-0001")
		for _, call := range []string{"mkdir", "rmdir"} {
			if err := exec.Command(call, path).Run(); err == nil {
				t.Errorf("%s of a held lock succeeded", call)
			}
		}
		release(t, lock)
		if err := exec.Command("mkdir", path).Run(); err != nil {
			t.Errorf("mkdir of a free lock: %v", err)
		}
	})
}

// A live holder is waited for, and its release ends the wait.
func TestWaitEndsWithTheHolder(t *testing.T) {
	w := newWorkspace(t)
	child := start(t, "hold", w, "A-0001")
	if child.line() != "held" {
		t.Fatal("the child does not hold the lock")
	}
	if held := wantHeld(t, w, "A-0001"); held.Owner.PID != child.Process.Pid {
		t.Errorf("owner %+v, want process %d", held.Owner, child.Process.Pid)
	}
	child.input.Close()
	release(t, mustLock(t, w, "A-0001"))
	child.wantDone(t)
	if _, err := os.Stat(filepath.Join(w.Root(), "datarim", "snapshots", ".lock.A-0001")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock is left: %v", err)
	}
}
