package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-plugin/runner"

	"github.com/stagehook/stagehook/sdk/host2plugin"
)

// drainTime is how long the pipes of a process that has ended are still read. A
// grandchild may hold them open for ever.
const drainTime = 100 * time.Millisecond

// child is one operating-system process, in a group of its own. It gives
// go-plugin the view it wants of a process (runner.Runner) and keeps what the
// messages need: the first line of output and how the process ended.
type child struct {
	cmd      *exec.Cmd
	pin      string   // SHA-256 of the program, empty for any
	lifeline *os.File // our end of its standard input
	stdout   *os.File
	stderr   *os.File
	seen     *firstLine

	startErr error
	spawned  chan struct{} // closed when the start has succeeded or failed
	exited   chan struct{} // closed when the process was waited for
	killOnce sync.Once
}

var _ runner.Runner = (*child)(nil)

// newChild prepares the process. The environment in spec is what go-plugin wants
// to add; spawned is closed when the start has succeeded or failed.
func newChild(command *Command, spec *exec.Cmd, spawned chan struct{}) *child {
	cmd := exec.Command(command.Argv[0], command.Argv[1:]...)
	// The last of two equal names counts, so the protocol's variables go last.
	cmd.Env = append(append([]string{}, command.Environ...), spec.Env...)
	cmd.Env = append(cmd.Env, host2plugin.EnvLifeline+"=stdin")
	setGroup(cmd)
	return &child{cmd: cmd, pin: command.SHA256, seen: &firstLine{}, spawned: spawned, exited: make(chan struct{})}
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
	if c.cmd.Err != nil { // the program is not in PATH
		return c.cmd.Err
	}
	var theirs []*os.File
	defer func() {
		for _, file := range theirs {
			_ = file.Close()
		}
	}()
	input, lifeline, err := os.Pipe()
	if err != nil {
		return err
	}
	theirs, c.lifeline = append(theirs, input), lifeline
	stdout, stdoutTheirs, err := os.Pipe()
	if err != nil {
		return errors.Join(err, lifeline.Close())
	}
	theirs, c.stdout = append(theirs, stdoutTheirs), stdout
	stderr, stderrTheirs, err := os.Pipe()
	if err != nil {
		return errors.Join(err, lifeline.Close(), stdout.Close())
	}
	theirs, c.stderr = append(theirs, stderrTheirs), stderr

	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = input, stdoutTheirs, stderrTheirs
	if err := c.exec(); err != nil {
		return errors.Join(err, lifeline.Close(), stdout.Close(), stderr.Close())
	}
	go c.reap()
	return nil
}

// exec executes the program, the pinned one if there is a pin.
func (c *child) exec() error {
	if c.pin != "" {
		program, err := openPinned(c.cmd.Path, c.pin)
		if err != nil {
			return err
		}
		defer program.Close()
		execPinned(c.cmd, program)
	}
	return startRetrying(c.cmd)
}

// reap waits for the process. What is left of its group ends with it, and its
// pipes are read a little longer and then cut.
func (c *child) reap() {
	_ = c.cmd.Wait() // how it ended is in ProcessState
	killGroup(c.cmd.Process.Pid)
	deadline := time.Now().Add(drainTime)
	_ = c.stdout.SetReadDeadline(deadline)
	_ = c.stderr.SetReadDeadline(deadline)
	close(c.exited)
}

// Wait waits for the end of the process. How it ended is for [child.end] to say.
func (c *child) Wait(context.Context) error {
	<-c.exited
	_ = c.lifeline.Close()
	_ = c.stdout.Close()
	_ = c.stderr.Close()
	return nil
}

// Kill kills the process group.
func (c *child) Kill(context.Context) error {
	c.killOnce.Do(func() {
		select {
		case <-c.exited:
		default:
			killGroup(c.cmd.Process.Pid)
		}
	})
	return nil
}

// end says how the process ended, empty while it runs.
func (c *child) end() string {
	select {
	case <-c.exited:
		if c.cmd.ProcessState == nil {
			return ""
		}
		return strings.Replace(c.cmd.ProcessState.String(), "exit status", "exited with status", 1)
	default:
		return ""
	}
}

func (c *child) pid() int {
	if c.cmd.Process == nil {
		return 0
	}
	return c.cmd.Process.Pid
}

// Stdout is read by go-plugin for the handshake.
func (c *child) Stdout() io.ReadCloser {
	return struct {
		io.Reader
		io.Closer
	}{io.TeeReader(untilDeadline{c.stdout}, c.seen), c.stdout}
}

// Stderr is read by go-plugin and handed to [output].
func (c *child) Stderr() io.ReadCloser {
	return struct {
		io.Reader
		io.Closer
	}{untilDeadline{c.stderr}, c.stderr}
}

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

// untilDeadline reads a pipe whose read deadline stands for its end.
type untilDeadline struct{ file *os.File }

func (u untilDeadline) Read(buffer []byte) (int, error) {
	n, err := u.file.Read(buffer)
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, os.ErrClosed) {
		err = io.EOF
	}
	return n, err
}

// firstLine keeps the first line of what passes by, which should be the
// handshake.
type firstLine struct {
	mu   sync.Mutex
	text []byte
	done bool
}

func (f *firstLine) Write(data []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, b := range data {
		if f.done || len(f.text) == maxLine {
			break
		}
		if f.done = b == '\n'; !f.done {
			f.text = append(f.text, b)
		}
	}
	return len(data), nil
}

func (f *firstLine) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.TrimSpace(string(f.text))
}
