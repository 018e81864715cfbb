package conformance

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/host2plugin"
)

const (
	// startLimit is from the start of the process until its handshake, and for
	// Configure once more.
	startLimit = 10 * time.Second
	// endLimit is for a process that was told to end, in one way or another.
	endLimit = 2 * time.Second
)

// process is a plugin's process. It is a host's side of the barest kind.
type process struct {
	cmd      *exec.Cmd
	sockets  string   // the folder for its socket
	lifeline *os.File // our end of its standard input
	stdout   *stdout
	stderr   *tail
	exited   chan struct{} // closed when it is gone

	conn   *grpc.ClientConn
	client *host2plugin.Client
}

// spawn starts the program in the environment that a runner gives it. Without the
// cookie it is started as by hand.
func (s *suite) spawn(cookie bool) (*process, error) {
	argv := s.plugin.Command
	sockets, err := socketFolder()
	if err != nil {
		return nil, &hostError{err}
	}
	p := &process{
		cmd:     exec.Command(argv[0], argv[1:]...),
		sockets: sockets,
		stdout:  &stdout{line: make(chan string, 1)},
		stderr:  &tail{},
		exited:  make(chan struct{}),
	}
	p.cmd.Env = append(host2plugin.Environ(nil), hook.EnvLogLevel+"=error")
	if cookie {
		p.cmd.Env = append(p.cmd.Env,
			hook.CookieKey+"="+hook.CookieValue,
			host2plugin.EnvLifeline+"=stdin",
			fmt.Sprintf("PLUGIN_PROTOCOL_VERSIONS=%d", hook.ProtocolVersion),
			"PLUGIN_UNIX_SOCKET_DIR="+sockets,
			"PLUGIN_MIN_PORT=0", "PLUGIN_MAX_PORT=1", // Windows: the system picks
		)
	}
	if err := p.start(); err != nil {
		_ = os.RemoveAll(sockets)
		return nil, err
	}
	return p, nil
}

// socketFolder makes a folder whose path is short enough for a socket.
func socketFolder() (string, error) {
	base := os.TempDir()
	if len(base) > 60 && runtime.GOOS != "windows" {
		base = "/tmp"
	}
	return os.MkdirTemp(base, "conform")
}

func (p *process) start() error {
	stdin, lifeline, err := os.Pipe()
	if err != nil {
		return &hostError{err}
	}
	defer stdin.Close()
	p.lifeline = lifeline
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = stdin, p.stdout, p.stderr
	// A grandchild may hold the pipes for longer than anybody wants to wait.
	p.cmd.WaitDelay = 250 * time.Millisecond
	setGroup(p.cmd)
	if err := p.cmd.Start(); err != nil {
		_ = lifeline.Close()
		return fmt.Errorf("it cannot be started: %w", cause(err))
	}
	go func() {
		_ = p.cmd.Wait() // how it ended is in ProcessState
		killGroup(p.cmd.Process.Pid)
		close(p.exited)
	}()
	return nil
}

// ended waits for the end of the process, but not longer than for that of ctx.
func (p *process) ended(ctx context.Context, limit time.Duration) bool {
	select {
	case <-p.exited:
		return true
	case <-time.After(limit):
	case <-ctx.Done():
	}
	return false
}

// open starts the program, connects to it and configures it.
func (s *suite) open(ctx context.Context) (*process, error) {
	p, err := s.connect(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := p.configure(ctx, s.plugin.Settings); err != nil {
		s.close(p)
		return nil, fmt.Errorf("it refused its settings: %w", err)
	}
	return p, nil
}

// connect starts the program and connects to it.
func (s *suite) connect(ctx context.Context) (*process, error) {
	p, err := s.spawn(true)
	if err != nil {
		return nil, err
	}
	if err := p.connect(ctx); err != nil {
		s.close(p)
		return nil, err
	}
	return p, nil
}

func (p *process) connect(ctx context.Context) error {
	address, err := p.handshake(ctx)
	if err != nil {
		return err
	}
	p.conn, err = grpc.NewClient(address,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(hook.MaxMessageBytes)))
	if err != nil {
		return fmt.Errorf("its handshake names an address that nobody can reach: %w", err)
	}
	p.client = host2plugin.NewClient(p.conn)
	return nil
}

// handshake returns the address that the first line of the output names.
func (p *process) handshake(ctx context.Context) (string, error) {
	var line string
	select {
	case line = <-p.stdout.line:
	case <-p.exited:
		select {
		case line = <-p.stdout.line:
		default:
			return "", fmt.Errorf("it ended before its handshake: %s", p.end())
		}
	case <-time.After(startLimit):
		return "", fmt.Errorf("it printed no handshake within %s%s", startLimit, p.stderr.said())
	case <-ctx.Done():
		return "", ctx.Err()
	}
	network := "unix"
	if runtime.GOOS == "windows" {
		network = "tcp"
	}
	want := fmt.Sprintf("want 1|%d|%s|ADDRESS|grpc", hook.ProtocolVersion, network)
	fields := append(strings.Split(strings.TrimSpace(line), "|"), "")
	switch {
	case len(fields) < 6 || fields[0] != "1" || fields[1] != fmt.Sprint(hook.ProtocolVersion) || fields[2] != network || fields[4] != "grpc":
		return "", fmt.Errorf("the first line of its output is %.80q; %s", line, want)
	case fields[5] != "":
		return "", fmt.Errorf("its handshake has a certificate that nobody asked for; %s", want)
	case network == "tcp":
		return "passthrough:" + fields[3], nil
	case filepath.Dir(fields[3]) != p.sockets:
		return "", fmt.Errorf("its socket %.80q is not in the folder of PLUGIN_UNIX_SOCKET_DIR", fields[3])
	}
	return "unix:" + fields[3], nil
}

// end says how the process ended and what it last said.
func (p *process) end() string { return p.cmd.ProcessState.String() + p.stderr.said() }

func (p *process) configure(ctx context.Context, settings []byte) (*hook.Description, error) {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	return p.client.Configure(ctx, settings)
}

// shutdown asks the plugin to end, as go-plugin does.
func (p *process) shutdown(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, endLimit)
	defer cancel()
	return p.conn.Invoke(ctx, "/plugin.GRPCController/Shutdown", &emptypb.Empty{}, &emptypb.Empty{})
}

// close ends the process in every way there is, keeps what it printed and removes
// what it left.
func (s *suite) close(p *process) {
	if p.conn != nil {
		select {
		case <-p.exited:
		default:
			_ = p.shutdown(context.Background()) // there are other ways
		}
		_ = p.conn.Close()
	}
	_ = p.lifeline.Close()
	if p.conn == nil || !p.ended(context.Background(), endLimit) {
		killGroup(p.cmd.Process.Pid)
		_ = p.cmd.Process.Kill() // it may have left its group
		<-p.exited
	}
	s.printed.add(p.stdout)
	_ = os.RemoveAll(p.sockets)
}
