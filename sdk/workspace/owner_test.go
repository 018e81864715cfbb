//go:build linux || darwin

package workspace

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	if owner.dead() || !owner.alive() {
		t.Fatal("a running process is judged dead")
	}
	child.kill()
	return owner
}

// abandon makes a lock that an owner left behind.
func abandon(t testing.TB, w *Workspace, taskID string, owner Owner) string {
	t.Helper()
	return abandonFile(t, w, taskID, ownerFile(0), encode(t, owner))
}

func abandonFile(t testing.TB, w *Workspace, taskID, file, content string) string {
	t.Helper()
	return filepath.Dir(plant(t, w.Root(), "datarim/snapshots/.lock."+taskID+"/"+file, content))
}

func encode(t testing.TB, owner Owner) string {
	t.Helper()
	data, err := json.Marshal(owner)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// What follows for an owner: a taker takes over or waits, and a person who clears
// the lock by hand is refused or not.
func TestOwnerIsDeadOrAliveOnlyOnProof(t *testing.T) {
	w := newWorkspace(t)
	gone, here := ended(t, w), self()
	for _, test := range []struct {
		name        string
		change      func(*Owner)
		dead, alive bool
	}{
		{name: "gone", change: func(*Owner) {}, dead: true},
		{name: "process ID reused", change: func(o *Owner) { o.PID = here.PID }, dead: true},
		{name: "at work", change: func(o *Owner) { o.PID, o.StartTime = here.PID, here.StartTime }, alive: true},
		{name: "another host", change: func(o *Owner) { o.Host += "x" }},
		{name: "no host", change: func(o *Owner) { o.Host = "" }},
		{name: "another boot", change: func(o *Owner) { o.BootID += "x" }},
		{name: "no boot", change: func(o *Owner) { o.BootID = "" }},
		{name: "another container", change: func(o *Owner) { o.Namespaces += "x" }},
		{name: "no start time", change: func(o *Owner) { o.StartTime = "" }},
		{name: "no start time, process ID in use", change: func(o *Owner) { o.PID, o.StartTime = here.PID, "" }},
	} {
		t.Run(test.name, func(t *testing.T) {
			owner := gone
			test.change(&owner)
			if test.dead != owner.dead() || test.alive != owner.alive() {
				t.Fatalf("dead %v, alive %v, want %v, %v", owner.dead(), owner.alive(), test.dead, test.alive)
			}
			abandon(t, w, "A-0001", owner)
			if test.dead {
				release(t, mustLock(t, w, "A-0001"))
				return
			}
			held := wantHeld(t, w, "A-0001")
			if held.Owner == nil || *held.Owner != owner {
				t.Errorf("owner %+v, want %+v", held.Owner, owner)
			}
			if says := strings.Contains(held.Hint(), "unlock"); says == test.alive {
				t.Errorf("hint %q for an owner that is alive: %v", held.Hint(), test.alive)
			}
			wantCleared(t, w, "A-0001", !test.alive)
			if test.alive {
				os.RemoveAll(filepath.Join(w.Root(), "datarim", "snapshots", ".lock.A-0001"))
			}
		})
	}
}

// wantCleared clears a lock by hand, and checks that it is gone or was refused.
func wantCleared(t testing.TB, w *Workspace, taskID string, want bool) {
	t.Helper()
	cleared, err := w.Unlock(taskID)
	if cleared != want || (err == nil) != want {
		t.Errorf("Unlock = %v, %v, want %v", cleared, err, want)
	}
	_, err = os.Lstat(filepath.Join(w.Root(), "datarim", "snapshots", ".lock."+taskID))
	if os.IsNotExist(err) != want {
		t.Errorf("the lock after Unlock: %v", err)
	}
}

// A file that no owner of ours can have written, of a dead owner or not, proves
// nothing to a taker and refuses nothing to a person.
func TestImpossibleOwnerIsClearedOnlyByHand(t *testing.T) {
	w := newWorkspace(t)
	gone := ended(t, w)
	withPID := func(pid any) string {
		return strings.Replace(encode(t, gone), fmt.Sprintf(`"pid":%d`, gone.PID), fmt.Sprintf(`"pid":%v`, pid), 1)
	}
	for name, test := range map[string]struct{ file, content string }{
		"process 0":               {"owner.0", withPID(0)},
		"a process group":         {"owner.0", withPID(-gone.PID)},
		"every process":           {"owner.0", withPID(-1)},
		"above what kernels have": {"owner.0", withPID(maxPID + 1)},
		"wraps around 32 bits":    {"owner.0", withPID(1<<32 + gone.PID)},
		"wraps around 64 bits":    {"owner.0", withPID("18446744073709551617")},
		"a fraction":              {"owner.0", withPID("1.5")},
		"a text":                  {"owner.0", withPID(`"1"`)},
		"an empty object":         {"owner.0", "{}"},
		"an empty file":           {"owner.0", ""},
		"a list":                  {"owner.0", "[]"},
		"the largest number":      {"owner.9223372036854775807", encode(t, gone)},
		"beyond it":               {"owner.9223372036854775808", encode(t, gone)},
		"the last generation":     {ownerFile(maxGeneration), encode(t, gone)},
		"after the last":          {ownerFile(maxGeneration + 1), encode(t, gone)},
		"negative":                {"owner.-1", encode(t, gone)},
		"leading zeros":           {"owner.007", encode(t, gone)},
		"a plus sign":             {"owner.+1", encode(t, gone)},
		"no generation":           {"owner.", encode(t, gone)},
		"no prefix":               {"0", encode(t, gone)},
	} {
		t.Run(name, func(t *testing.T) {
			lock := abandonFile(t, w, "A-0001", test.file, test.content)
			held := wantHeld(t, w, "A-0001")
			if !strings.Contains(held.Hint(), "stagehook unlock --task A-0001") {
				t.Errorf("hint %q does not say how to clear it", held.Hint())
			}
			wantNames(t, lock, test.file)
			wantContent(t, filepath.Join(lock, test.file), test.content)
			wantCleared(t, w, "A-0001", true)
			wantNames(t, filepath.Dir(lock), ".lock.Z-0001")
			release(t, mustLock(t, w, "A-0001"))
		})
	}
}

// What is no owner file says nothing against the one that is there.
func TestStrangersFilesDoNotHideTheOwner(t *testing.T) {
	w := newWorkspace(t)
	gone, alive := ended(t, w), newOwner()
	strangers := []string{"owner.9223372036854775807", "owner.-1", "owner.007", "pid"}
	for _, name := range strangers {
		abandonFile(t, w, "A-0001", name, encode(t, alive))
		abandonFile(t, w, "A-0002", name, encode(t, gone))
	}
	abandon(t, w, "A-0001", gone)
	abandon(t, w, "A-0002", alive)
	release(t, mustLock(t, w, "A-0001"))
	if held := wantHeld(t, w, "A-0002"); held.Owner == nil || *held.Owner != alive {
		t.Errorf("owner %+v, want %+v", held.Owner, alive)
	}
	wantCleared(t, w, "A-0002", false)
}

// A killed process whose parent never waits for it stays in the process table.
func TestZombieIsDead(t *testing.T) {
	w := newWorkspace(t)
	child := startHolder(t, w, "A-0001")
	child.Process.Kill()
	release(t, mustLock(t, w, "A-0001"))
}

func TestStoppedHolderIsAlive(t *testing.T) {
	w := newWorkspace(t)
	child := startHolder(t, w, "A-0001")
	child.stop(t)
	if held := wantHeld(t, w, "A-0001"); held.Owner.PID != child.Process.Pid {
		t.Errorf("owner %+v, want process %d", held.Owner, child.Process.Pid)
	}
	wantCleared(t, w, "A-0001", false)
}
