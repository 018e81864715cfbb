//go:build linux || darwin

package workspace

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// The test binary plays the other processes of a test: with the name of a role
// in this variable it runs the role instead of the tests.
const roleVariable = "WORKSPACE_TEST_ROLE"

// roles take the root of the workspace and an argument. An error is printed and
// makes the exit status 1.
var roles = map[string]func(w *Workspace, argument string) error{
	"hold":                hold,
	"contend":             contend,
	"swapName":            swapName,
	"swapStaged":          swapStaged,
	"takeOnce":            takeOnce,
	"takeLate":            takeLate,
	"takeTurnsWithScript": takeTurnsWithScript,
	"rewrite":             rewrite,
	"umask":               underUmask,
	"nobody":              asNobody,
	"fullDisk":            onFullDisk,
	"tryAsNobody":         tryAsNobody,
}

func TestMain(m *testing.M) {
	role, ok := os.LookupEnv(roleVariable)
	if !ok {
		os.Exit(m.Run())
	}
	if err := play(role, os.Args[1], os.Args[2]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func play(role, root, argument string) error {
	runtime.LockOSThread() // strace counts the calls of each thread
	w, err := Open(root)
	if err != nil {
		return err
	}
	defer w.Close()
	return roles[role](w, argument)
}

// actor is a process that plays a role.
type actor struct {
	*exec.Cmd
	output *bufio.Reader
	input  io.WriteCloser
}

func start(t testing.TB, role string, w *Workspace, argument string) *actor {
	t.Helper()
	return startUnder(t, nil, role, w, argument)
}

// startUnder starts the actor as the argument of another command, if there is one.
func startUnder(t testing.TB, command []string, role string, w *Workspace, argument string) *actor {
	t.Helper()
	command = append(slices.Clone(command), os.Args[0], w.Root(), argument)
	a := &actor{Cmd: exec.Command(command[0], command[1:]...)}
	// A process under the race detector lingers for a second unless told not to.
	a.Env = append(os.Environ(), roleVariable+"="+role, "GORACE=atexit_sleep_ms=0")
	return a.start(t)
}

func (a *actor) start(t testing.TB) *actor {
	t.Helper()
	output, err := a.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if a.input, err = a.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	a.Stderr = os.Stderr
	if err := a.Start(); err != nil {
		t.Fatal(err)
	}
	a.output = bufio.NewReader(output)
	t.Cleanup(func() {
		a.Process.Kill()
		a.Wait()
	})
	return a
}

// line waits for the actor's next line, "" at its end.
func (a *actor) line() string {
	line, _ := a.output.ReadString('\n')
	return strings.TrimSuffix(line, "\n")
}

// wantDone waits for the actor to end with status 0.
func (a *actor) wantDone(t testing.TB) {
	t.Helper()
	said, _ := io.ReadAll(a.output)
	if err := a.Wait(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
}

// stop stops the actor with SIGSTOP and waits until it has stopped.
func (a *actor) stop(t testing.TB) {
	t.Helper()
	if err := a.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(a.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("not stopped: %v, %v", status, err)
	}
}

// kill ends the actor with SIGKILL and waits until it is gone.
func (a *actor) kill() {
	a.Process.Signal(syscall.SIGKILL)
	a.Wait()
}

// startHolder returns a process that holds the lock of the task until its input
// ends.
func startHolder(t testing.TB, w *Workspace, taskID string) *actor {
	t.Helper()
	holder := start(t, "hold", w, taskID)
	if said := holder.line(); said != "held" {
		t.Fatalf("the holder said %q", said)
	}
	return holder
}

// hold takes the lock of the task and keeps it until its input ends.
func hold(w *Workspace, taskID string) error {
	lock, err := w.Lock(context.Background(), taskID, patience)
	if err != nil {
		return err
	}
	fmt.Println("held")
	io.Copy(io.Discard, os.Stdin)
	return lock.Release()
}
