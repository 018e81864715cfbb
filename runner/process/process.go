package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"
	"google.golang.org/grpc"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/host2plugin"
)

// brokenGrace is how long a plugin that is of no more use may still take to tidy
// up before its group is killed.
const brokenGrace = 500 * time.Millisecond

// deathTime is how long a killed process may take to be gone. Only a process that
// the system itself holds, in an input or output that does not end, takes longer.
const deathTime = 5 * time.Second

// Process is a plugin process that was started and has answered. It is safe for
// concurrent use.
type Process struct {
	command Command
	client  *goplugin.Client
	output  *output
	spawned chan struct{} // closed when the child was started or could not be
	dialed  chan struct{} // closed when go-plugin has connected or given up
	child   *child        // set before spawned is closed; nil when it came to none
	sockets string        // the directory of its socket; set with child
	held    io.Closer     // the hold on it; set with child
	broken  atomic.Bool   // it failed to start, missed a deadline or broke the connection
	running atomic.Int32  // calls
	busy    atomic.Bool   // a call was given up, so the plugin may still be in it
	ending  atomic.Bool   // the host ends it
	ended   sync.Once

	plugin      *host2plugin.Client
	description *hook.Description
	start       time.Duration
}

// Client calls the plugin; use it through [Call].
func (p *Process) Client() *host2plugin.Client { return p.plugin }

// PID is the process ID.
func (p *Process) PID() int { return p.child.pid() }

// StartTime is the time from the start of the process until it had answered its
// first call.
func (p *Process) StartTime() time.Duration { return p.start }

// newProcess prepares a process whose socket will be in a directory of its own in
// base.
func newProcess(command Command, base string) *Process {
	p := &Process{
		command: command,
		output:  &output{log: command.Log},
		spawned: make(chan struct{}),
		dialed:  make(chan struct{}),
	}
	p.client = goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig:  host2plugin.Handshake(),
		VersionedPlugins: host2plugin.Plugins(nil),
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		AutoMTLS:         command.MTLS || mtlsAlways,
		// Ours comes first: it covers the connection and the first call as well.
		StartTimeout:     command.StartTimeout + time.Minute,
		SkipHostEnv:      true,
		UnixSocketConfig: &goplugin.UnixSocketConfig{TempDir: base},
		// On Windows the system picks a free port; both 0 would mean "unset".
		MinPort: 0,
		MaxPort: 1,
		// Off, so that go-plugin does not parse what a stranger logs; see output.
		Logger:     hclog.New(&hclog.LoggerOptions{Level: hclog.Off, Output: io.Discard}),
		SyncStdout: p.output.fromStdout(),
		SyncStderr: p.output.fromStderr(),
		GRPCDialOptions: []grpc.DialOption{
			grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(hook.MaxMessageBytes)),
		},
		RunnerFunc: func(_ hclog.Logger, spec *exec.Cmd, sockets string) (runner.Runner, error) {
			p.sockets = sockets
			held, err := holdSockets(sockets)
			if err != nil {
				return nil, err
			}
			p.held = held
			p.child = newChild(p, spec)
			return p.child, nil
		},
	})
	return p
}

// run starts the process and configures the plugin, within the start timeout.
func (p *Process) run(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, p.command.StartTimeout)
	defer cancel()
	begin := time.Now()

	connected := make(chan error, 1)
	go func() { connected <- p.connect(ctx) }()
	var err error
	select {
	case err = <-connected:
	case <-ctx.Done():
		// connect goes on until the process is gone, but the child is known from
		// here on.
		select {
		case <-p.spawned:
			err = ctx.Err()
		case err = <-connected:
		}
	}
	p.start = time.Since(begin)
	if err != nil {
		p.broken.Store(true)
		return p.explainStart(ctx, err)
	}
	return nil
}

func (p *Process) connect(ctx context.Context) error {
	protocol, err := p.dial()
	if err != nil {
		return err
	}
	dispensed, err := protocol.Dispense(host2plugin.Name)
	if err != nil {
		return err
	}
	p.plugin = dispensed.(*host2plugin.Client)
	p.description, err = p.plugin.Configure(ctx, p.command.Settings)
	return err
}

// dial starts the process and connects to it.
func (p *Process) dial() (protocol goplugin.ClientProtocol, err error) {
	defer close(p.dialed)
	defer func() {
		// A plugin that sends a certificate nobody asked for makes go-plugin
		// dereference a nil configuration.
		if cause := recover(); cause != nil {
			err = fmt.Errorf("go-plugin panicked on the handshake: %v", cause)
		}
	}()
	return p.client.Client()
}

// alive reports whether the process can take another call.
func (p *Process) alive() bool { return !p.broken.Load() && !p.child.gone() }

// retire ends a process that is of no more use to new calls, once those it is in
// have ended; each of them has a deadline. It does not wait when closing is
// closed.
func (p *Process) retire(closing <-chan struct{}) {
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for p.running.Load() > 0 {
		select {
		case <-look.C:
		case <-closing:
			p.stop()
			return
		}
	}
	p.stop()
}

// stop asks the plugin to end, kills its group when it does not, and returns
// when the process is gone.
func (p *Process) stop() {
	p.ending.Store(true)
	p.ended.Do(p.end)
}

func (p *Process) end() {
	defer func() {
		if p.held != nil {
			_ = p.held.Close() // nothing is written to it
		}
	}()
	grace := p.command.StopTimeout
	if p.broken.Load() {
		grace = min(grace, brokenGrace)
	}
	select {
	case <-p.dialed:
	default:
		grace = 0 // there is no way to ask
	}
	if p.idle() {
		p.child.kill()
		_ = os.RemoveAll(p.sockets) // while the process is dying; else go-plugin does it
	}
	done := make(chan struct{})
	go func() {
		// The end of its standard input asks a plugin that has no other way of
		// being asked, which go-plugin would wait two seconds for.
		if p.child != nil && p.child.lifeline != nil {
			_ = p.child.lifeline.Close()
		}
		p.client.Kill()
		close(done)
	}()
	select {
	case <-done:
		return
	case <-time.After(grace):
	}
	if p.child == nil {
		return
	}
	p.child.kill()
	select {
	case <-p.child.exited:
	case <-time.After(deathTime):
	}
	// go-plugin is done a moment later; what it may still wait for is not worth
	// waiting for.
	select {
	case <-done:
	case <-time.After(2 * drainTime):
		_ = os.RemoveAll(p.sockets) // as go-plugin would have done
	}
}

// idle reports whether nothing is lost when the process is killed: the plugin
// keeps nothing between calls, and it is in none.
func (p *Process) idle() bool {
	// Of a broken start the description may be on its way yet.
	return !p.broken.Load() && p.description != nil && p.description.Stateless &&
		p.running.Load() == 0 && !p.busy.Load()
}

// Call calls the plugin within a limit. A failure that the plugin reports comes
// back as a [*hook.Failure] and the end of ctx as its error; everything else
// becomes an [*Error].
func Call[Req, Res any](
	ctx context.Context,
	p *Process,
	limit time.Duration,
	method func(context.Context, *Req) (*Res, error),
	req *Req,
) (*Res, error) {
	deadline := time.Now().Add(limit)
	limited, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	p.running.Add(1)
	defer p.running.Add(-1)
	res, err := method(limited, req)
	switch {
	case err == nil:
		return res, nil
	case ctx.Err() != nil:
		p.busy.Store(true)
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded) && !time.Now().Before(deadline):
		p.broken.Store(true)
		return nil, p.errorf("did not answer within %s", limit)
	default:
		return nil, p.explainCall(err)
	}
}

// Serves reports whether the plugin said that it serves the kind.
func (p *Process) Serves(kind hook.Kind) bool {
	return slices.Contains(p.description.Kinds, kind)
}
