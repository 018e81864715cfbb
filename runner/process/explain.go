package process

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"regexp"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/host2plugin"
)

// settleTime is how long a process whose connection broke may take to be seen
// dead, so that a crash is told from a closed socket.
const settleTime = 300 * time.Millisecond

// handshakeLine is CORE|APP|NETWORK|ADDRESS|PROTOCOL and perhaps more.
var handshakeLine = regexp.MustCompile(`^(\d+)\|(\d+)\|([a-z]+)\|([^|]*)\|([a-z]+)`)

// explainStart words a failed start from what was seen of the process. go-plugin
// has one text for many causes, so its own words come last.
func (p *Process) explainStart(ctx context.Context, err error) error {
	var failure *hook.Failure
	if errors.As(err, &failure) {
		return p.refused(failure)
	}
	child := p.child
	switch {
	case child == nil:
		return p.errorf("could not be started: %v", err)
	case child.startErr != nil:
		return p.notStarted(child.startErr)
	case errors.Is(ctx.Err(), context.Canceled):
		return context.Canceled
	case ctx.Err() != nil:
		return p.errorf("was not ready within %s", p.command.StartTimeout)
	}
	// A process that ends takes a moment to be seen; one that does not end has
	// already said something wrong.
	line := child.seen.String()
	parts := handshakeLine.FindStringSubmatch(line)
	if parts == nil || parts[1] != "1" {
		p.settle()
		if end := child.end(); end != "" && line == "" {
			return p.errorf("%s before it was ready", end)
		}
		if line == "" {
			return p.errorf("closed its output without a handshake")
		}
		return p.hintf("it is no stagehook plugin, or it prints before sdk.Serve",
			"printed %q instead of a handshake", oneLine(line, 80))
	}
	if version := fmt.Sprint(hook.ProtocolVersion); parts[2] != version {
		return p.hintf("build the plugin with an SDK of this stagehook's version",
			"speaks protocol version %s, this stagehook speaks %s", parts[2], version)
	}
	if parts[5] != "grpc" {
		return p.errorf("speaks %s instead of grpc", parts[5])
	}
	return p.explainBroken(err, p.command.StartTimeout)
}

// explainCall words a failed call.
func (p *Process) explainCall(err error, limit time.Duration) error {
	var failure *hook.Failure
	if errors.As(err, &failure) {
		if failure.Code == hook.FailureInternal {
			return p.errorf("failed: %s", oneLine(failure.Message, shownBytes))
		}
		return failure
	}
	return p.explainBroken(err, limit)
}

// explainBroken words what is neither an answer nor a reported failure.
func (p *Process) explainBroken(err error, limit time.Duration) error {
	var protocol *host2plugin.ProtocolError
	if errors.As(err, &protocol) {
		return p.errorf("%s", oneLine(protocol.Error(), shownBytes))
	}
	if errors.Is(err, context.DeadlineExceeded) {
		p.broken.Store(true)
		return p.errorf("did not answer within %s", limit)
	}
	code := status.Code(err)
	if errors.Is(err, context.Canceled) {
		code = codes.Canceled // by the plugin: a cancelling caller does not get here
	}
	switch code {
	case codes.Unavailable, codes.Canceled:
		p.settle()
		if end := p.child.end(); end != "" {
			return p.errorf("crashed: %s", end)
		}
		p.broken.Store(true)
		return p.errorf("closed the connection")
	case codes.Unimplemented:
		return p.errorf("does not serve this call")
	case codes.ResourceExhausted:
		return p.errorf("sent or was sent a message of more than %d MiB", hook.MaxMessageBytes>>20)
	default:
		return p.errorf("broke the protocol: %s: %s", code, oneLine(status.Convert(err).Message(), shownBytes))
	}
}

// refused words a plugin's refusal of its settings.
func (p *Process) refused(failure *hook.Failure) error {
	return &Error{
		Plugin: p.command.Plugin,
		What:   oneLine(failure.Message, shownBytes),
		Hint:   failure.Hint,
	}
}

func (p *Process) notStarted(err error) error {
	program := p.command.Argv[0]
	var (
		unwrapped *exec.Error
		pinned    *pinError
	)
	switch {
	case errors.As(err, &pinned):
		return p.hintf("if the program was meant to change, change its sha256 in the configuration", "%v", pinned)
	case errors.Is(err, exec.ErrNotFound):
		return p.hintf("install it, or name it by its absolute path", "%s is not in PATH", program)
	case errors.Is(err, fs.ErrNotExist):
		return p.errorf("%s does not exist", program)
	case errors.Is(err, fs.ErrPermission):
		return p.hintf("chmod +x "+program, "%s may not be executed", program)
	case errors.As(err, &unwrapped):
		err = unwrapped.Err
	}
	return p.errorf("could not be started: %v", err)
}

// settle waits for the process to be seen dead, if it is dying.
func (p *Process) settle() {
	select {
	case <-p.child.exited:
	case <-time.After(settleTime):
	}
}

func (p *Process) errorf(format string, args ...any) *Error {
	return p.hintf("", format, args...)
}

func (p *Process) hintf(hint, format string, args ...any) *Error {
	return &Error{
		Plugin: p.command.Plugin,
		What:   fmt.Sprintf(format, args...),
		Stderr: p.output.tail(),
		Hint:   hint,
	}
}
