package workspace

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
)

func init() { roles["identify"] = identify }

// identify says who it would be as an owner.
func identify(*Workspace, string) error {
	data, err := json.Marshal(newOwner())
	fmt.Println(string(data))
	return err
}

// inNamespace returns a command that runs another one in a process namespace of its
// own, which ends with it.
func inNamespace(t *testing.T, options ...string) []string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root may make a namespace")
	}
	if _, err := exec.LookPath("unshare"); err != nil {
		t.Skip("needs unshare: ", err)
	}
	return append([]string{"unshare", "--pid", "--fork", "--kill-child"}, options...)
}

// A process ID of another namespace means another process here, or none, so its
// owner is not known to be dead, even when it is.
func TestOwnerInAnotherProcessNamespaceIsNeverDead(t *testing.T) {
	w := newWorkspace(t)
	holder := startUnder(t, inNamespace(t, "--mount-proc"), "hold", w, "A-0001")
	if said := holder.line(); said != "held" {
		t.Fatalf("the holder said %q", said)
	}
	held := wantHeld(t, w, "A-0001")
	if held.Owner == nil || held.Owner.PID > 10 || held.Owner.StartTime == "" || held.Owner.local() {
		t.Errorf("owner %+v, want one of another namespace", held.Owner)
	}
	holder.kill()
	if after := wantHeld(t, w, "A-0001"); after.Owner == nil || *after.Owner != *held.Owner {
		t.Errorf("owner %+v, want %+v", after.Owner, held.Owner)
	}
	wantCleared(t, w, "A-0001", true)
}

// Where /proc is that of another namespace, what it says of a process ID is about
// another process: nothing is proven.
func TestForeignProcProvesNothing(t *testing.T) {
	w := newWorkspace(t)
	for name, test := range map[string]struct {
		options []string
		known   bool
	}{
		"its own /proc": {[]string{"--mount-proc"}, true},
		"another one's": {nil, false},
	} {
		var owner Owner
		said := startUnder(t, inNamespace(t, test.options...), "identify", w, "").line()
		if err := json.Unmarshal([]byte(said), &owner); err != nil {
			t.Fatalf("%s: %q: %v", name, said, err)
		}
		if (owner.BootID != "") != test.known {
			t.Errorf("%s: owner %+v", name, owner)
		}
		if owner.local() {
			t.Errorf("%s: counts as one of ours: %+v", name, owner)
		}
	}
}
