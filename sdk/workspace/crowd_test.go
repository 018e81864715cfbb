//go:build linux || darwin

package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// contend takes the lock many times.
func contend(w *Workspace, oracle string) error {
	for range 40 {
		if err := takeTurn(w, oracle); err != nil {
			return err
		}
	}
	fmt.Println("done")
	return nil
}

// takeTurn takes the lock and gives it back.
func takeTurn(w *Workspace, oracle string) error {
	lock, err := w.Lock(context.Background(), "A-0001", patience)
	if err != nil {
		return err
	}
	return errors.Join(holdAlone(oracle), lock.Release())
}

// holdAlone fails if another process is in it too. The kernel drops an flock
// with its process.
func holdAlone(oracle string) error {
	file, err := os.OpenFile(oracle, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return fmt.Errorf("two holders: %w", err)
	}
	return nil
}

func TestProcessesExcludeEachOtherThoughSomeAreKilled(t *testing.T) {
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
	release(t, mustLock(t, w, "A-0001"))
	wantNames(t, filepath.Join(w.Root(), "datarim", "snapshots"))
}

func TestManyTakersOfAStaleLockHaveTheirTurnAlone(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		w := newWorkspace(t)
		abandon(t, w, "A-0001", ended(t, w))
		takeTurns(t, w, 32, 1)
		wantNames(t, filepath.Join(w.Root(), "datarim", "snapshots"), ".lock.Z-0001")
	})
}

// takeOnce takes one turn.
func takeOnce(w *Workspace, oracle string) error {
	if err := takeTurn(w, oracle); err != nil {
		return err
	}
	fmt.Println("had its turn")
	return nil
}

// takeLate is takeOnce, with a pause between judging the owner dead and taking
// over, until a line comes.
func takeLate(w *Workspace, oracle string) error {
	dir, err := w.OpenDir(SnapshotFolder)
	if err != nil {
		return err
	}
	lock := &Lock{dir: dir, name: ".lock.A-0001", owner: newOwner()}
	held, err := dir.open(lock.name)
	if err != nil {
		return err
	}
	owner, generation := lastOwner(held)
	if owner == nil || !owner.dead() {
		return fmt.Errorf("owner %+v is not dead", owner)
	}
	fmt.Println("judged")
	if _, err := os.Stdin.Read(make([]byte, 1)); err != nil {
		return err
	}
	switch err := lock.takeOver(held, generation); err {
	case nil:
		return errors.New("took over what others had taken over")
	case errTooLate:
		return takeOnce(w, oracle)
	default:
		return err
	}
}

func TestCrowdOfProcessesOnAStaleLock(t *testing.T) {
	w := newWorkspace(t)
	abandon(t, w, "A-0001", ended(t, w))
	oracle := filepath.Join(t.TempDir(), "oracle")
	late := start(t, "takeLate", w, oracle)
	if said := late.line(); said != "judged" {
		t.Fatalf("the late taker said %q", said)
	}
	late.stop(t)
	fmt.Fprintln(late.input, "")

	takers := []*actor{late}
	for range 31 {
		takers = append(takers, start(t, "takeOnce", w, oracle))
	}
	for i, taker := range takers[1:] {
		if i == 8 { // with most of the others still on their way
			late.Process.Signal(syscall.SIGCONT)
		}
		if said := taker.line(); said != "had its turn" {
			t.Errorf("taker %d said %q", i, said)
		}
	}
	if said := late.line(); said != "had its turn" {
		t.Errorf("the late taker said %q", said)
	}
	for _, taker := range takers {
		taker.wantDone(t)
	}
	release(t, mustLock(t, w, "A-0001"))
	wantNames(t, filepath.Join(w.Root(), "datarim", "snapshots"), ".lock.Z-0001")
}

// A script takes the same lock with mkdir and gives it back with rmdir.
func TestShellScriptAndLockExclude(t *testing.T) {
	eachWay(t, func(t *testing.T) {
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
		fmt.Fprintln(script.input, "go on")
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

const scriptTurns = 30

// takeTurnsWithScript takes the lock as often as the script does, with a
// directory that both make inside it.
func takeTurnsWithScript(w *Workspace, oracle string) error {
	for range scriptTurns {
		lock, err := w.Lock(context.Background(), "A-0001", patience)
		if err != nil {
			return err
		}
		if err := os.Mkdir(oracle, 0o700); err != nil {
			return fmt.Errorf("two holders: %w", err)
		}
		if err := errors.Join(os.Remove(oracle), lock.Release()); err != nil {
			return err
		}
	}
	fmt.Println("done")
	return nil
}

func TestShellScriptAndProcessesTakeTurns(t *testing.T) {
	w := newWorkspace(t)
	newDir(t, w, SnapshotFolder)
	oracle := filepath.Join(t.TempDir(), "oracle")
	script := &actor{Cmd: exec.Command("/bin/sh", "-c", `
		turn=0
		while [ $turn -lt "$3" ]; do
			until mkdir "$1" 2>/dev/null; do sleep 0.005; done
			mkdir "$2" || { echo two holders; exit 1; }
			rmdir "$2" && rmdir "$1" || { echo the lock was touched; exit 1; }
			turn=$((turn + 1))
		done
		echo done`,
		"sh", filepath.Join(w.Root(), "datarim", "snapshots", ".lock.A-0001"), oracle, fmt.Sprint(scriptTurns))}
	all := []*actor{script.start(t)}
	for range 2 {
		all = append(all, start(t, "takeTurnsWithScript", w, oracle))
	}
	for _, one := range all {
		if said := one.line(); said != "done" {
			t.Errorf("%s said %q", strings.Join(one.Args[:1], ""), said)
		}
		one.wantDone(t)
	}
	wantNames(t, filepath.Join(w.Root(), "datarim", "snapshots"))
}
