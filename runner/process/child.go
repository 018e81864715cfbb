package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-plugin/runner"

	"github.com/stagehook/stagehook/sdk/host2plugin"
)

// drainTime is how long the pipes of a process that has ended are still read.
const drainTime = 250 * time.Millisecond

// child is one operating-system process, in a group of its own. It gives
// go-plugin the view it wants of a process (runner.Runner) and keeps what the
// messages need: the first line of output and how the process ended.
type child struct {
	cmd      *exec.Cmd
	pin      string // SHA-256 of the program, empty for any
	output   *output
	dialed   <-chan struct{} // closed when go-plugin has connected or given up
	ending   *atomic.Bool    // whether [Process.stop] looks after the end
	lifeline *os.File        // our end of its standard input
	stdout   *handshake
	stderr   *os.File

	startErr error
	spawned  chan<- struct{} // closed when the start has succeeded or failed
	read     chan struct{}   // closed when standard error was read to its end
	exited   chan struct{}   // closed when the process is gone and was heard out
	killed   atomic.Bool     // by the host
}

var _ runner.Runner = (*child)(nil)

// newChild prepares the process. The environment in spec is what go-plugin wants
// to add.
func newChild(p *Process, spec *exec.Cmd) *child {
	cmd := exec.Command(p.command.Argv[0], p.command.Argv[1:]...)
	// The last of two equal names counts, so the protocol's variables go last.
	cmd.Env = slices.Concat(p.command.Environ, spec.Env, []string{host2plugin.EnvLifeline + "=stdin"})
	setGroup(cmd)
	return &child{
		cmd:     cmd,
		pin:     p.command.SHA256,
		output:  p.output,
		stdout:  &handshake{rest: p.output.fromStdout()},
		dialed:  p.dialed,
		ending:  &p.ending,
		spawned: p.spawned,
		read:    make(chan struct{}),
		exited:  make(chan struct{}),
	}
}

// Start starts the process.
func (c *child) Start(context.Context) error {
	defer close(c.spawned)
	c.startErr = c.start()
	if c.startErr != nil {
		close(c.exited)
	}
	return c.startErr
}

func (c *child) start() error {
	stdin, lifeline, err1 := os.Pipe()
	stdout, stdoutEnd, err2 := os.Pipe()
	stderr, stderrEnd, err3 := os.Pipe()
	err := errors.Join(err1, err2, err3)
	if err == nil {
		c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = stdin, stdoutEnd, stderrEnd
		c.lifeline, c.stdout.pipe, c.stderr = lifeline, stdout, stderr
		started := make(chan error)
		go c.live(started)
		err = <-started
	}
	closeAll(stdin, stdoutEnd, stderrEnd)
	if err != nil {
		closeAll(lifeline, stdout, stderr)
		return err
	}
	go c.readStderr()
	return nil
}

// live starts the process and waits for its end, all on one thread of the system:
// Linux takes the end of the thread that has started a process for that of its host.
func (c *child) live(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := startPinned(c.cmd, c.pin)
	started <- err
	if err == nil {
		c.reap()
	}
}

// closeAll closes our or the process's ends of its pipes. There is nothing to
// lose in them, and to close the nil of a pipe that could not be made is safe.
func closeAll(files ...*os.File) {
	for _, file := range files {
		_ = file.Close()
	}
}

// readStderr reads standard error, past go-plugin: when the process is taken for
// gone its last words must have arrived.
func (c *child) readStderr() {
	defer close(c.read)
	// An error is the end as well: nothing more will come.
	_, _ = io.Copy(c.output.fromStderr(), untilDeadline{c.stderr})
}

// reap waits for the process. What is left of its group ends with it. A grandchild
// elsewhere may hold the pipes for ever, and is not waited for.
func (c *child) reap() {
	_ = c.cmd.Wait() // how it ended is in ProcessState
	killGroup(c.cmd.Process.Pid)
	_ = c.stdout.pipe.SetReadDeadline(time.Now().Add(drainTime))
	select {
	case <-c.read:
	case <-time.After(drainTime):
	}
	close(c.exited)
}

// Wait waits for the end of the process. How it ended is for [child.end] to say.
//
// It also waits until go-plugin has connected or given up: go-plugin forgets to
// close a connection that it is making when Wait returns.
func (c *child) Wait(context.Context) error {
	<-c.exited
	<-c.dialed
	closeAll(c.lifeline, c.stdout.pipe, c.stderr)
	return nil
}

// Kill is for go-plugin, which kills what fails to start. It also kills two seconds
// after it has asked a process to end, and that is too early for some.
func (c *child) Kill(context.Context) error {
	if !c.ending.Load() {
		c.kill()
	}
	return nil
}

// kill kills the process group.
func (c *child) kill() {
	if !c.gone() && !c.killed.Swap(true) {
		killGroup(c.cmd.Process.Pid)
		_ = c.cmd.Process.Kill() // it may have left its group
	}
}

// gone reports whether the process has ended.
func (c *child) gone() bool {
	select {
	case <-c.exited:
		return true
	default:
		return false
	}
}

// end says how the process ended by itself, empty while it runs.
func (c *child) end() string {
	if !c.gone() || c.cmd.ProcessState == nil {
		return ""
	}
	if c.killed.Load() && c.cmd.ProcessState.String() == "signal: killed" {
		return ""
	}
	return endOf(c.cmd.ProcessState)
}

// endOf says how a process ended.
func endOf(state *os.ProcessState) string {
	return strings.NewReplacer("exit status", "exited with status", "signal:", "ended by signal:").Replace(state.String())
}

func (c *child) pid() int {
	if c.cmd.Process == nil {
		return 0
	}
	return c.cmd.Process.Pid
}

// Stdout is read by go-plugin for the handshake.
func (c *child) Stdout() io.ReadCloser { return c.stdout }

// Stderr is empty for go-plugin: [child.readStderr] reads the real one.
func (c *child) Stderr() io.ReadCloser { return io.NopCloser(strings.NewReader("")) }

// Name is the program.
func (c *child) Name() string { return c.cmd.Path }

// ID is the process ID.
func (c *child) ID() string { return fmt.Sprint(c.pid()) }

// Diagnose has nothing to add: [Process] words the failures.
func (c *child) Diagnose(context.Context) string { return "" }

// PluginToHost leaves the address as it is: both live in one file system.
func (c *child) PluginToHost(network, address string) (string, string, error) {
	return network, address, nil
}

// HostToPlugin leaves the address as it is.
func (c *child) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}
