package process

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"sync"
	"syscall"
	"time"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/host2plugin"
)

// settleTime is how long a process whose connection broke may take to be seen
// dead, so that a crash is told from a closed socket.
const settleTime = time.Second

// handshakeLine is CORE|APP|NETWORK|ADDRESS|PROTOCOL and perhaps |CERTIFICATE.
// Only failures are held against it.
var handshakeLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d+)\|(\d+)\|([a-z]+)\|([^|]*)\|([a-z]+)(?:\|([^|]*))?`)
})

// explainStart words a failed start from what was seen of the process. go-plugin
// has one text for many causes, so its own words come last.
func (p *Process) explainStart(ctx context.Context, err error) error {
	var failure *hook.Failure
	if errors.As(err, &failure) {
		return p.refused(failure)
	}
	child := p.child
	switch {
	case child == nil && p.sockets == "":
		return p.hintf(hintSockets, "no folder for its socket: %v", err)
	case child == nil:
		return p.errorf("could not be started: %v", err)
	case child.startErr != nil:
		return p.notStarted(child.startErr)
	case errors.Is(ctx.Err(), context.Canceled): // by Close
		return ErrClosed
	}
	line := child.stdout.String()
	parts := handshakeLine().FindStringSubmatch(line)
	shook := parts != nil && parts[1] == fmt.Sprint(goplugin.CoreProtocolVersion)
	switch {
	case ctx.Err() != nil && !shook && line != "":
		return p.hintf(hintNoPlugin, "was not ready within %s and printed %q instead of a handshake",
			p.command.StartTimeout, oneLine(line, shownLine))
	case ctx.Err() != nil:
		return p.errorf("was not ready within %s", p.command.StartTimeout)
	case !shook:
		return p.explainNoHandshake(line)
	default:
		return p.explainHandshake(parts, err)
	}
}

const (
	// shownLine bounds the output that is shown in the place of a handshake.
	shownLine = 80
	// maxShown bounds a failure's text, which the SDK keeps to this length too.
	maxShown = 4 << 10
)

const hintNoPlugin = "it is no stagehook plugin, or it prints before sdk.Serve; a script needs builtin: exec"

func (p *Process) explainNoHandshake(line string) error {
	if line != "" {
		p.settle() // for its last words
		return p.hintf(hintNoPlugin, "printed %q instead of a handshake", oneLine(line, shownLine))
	}
	// A process that ends takes a moment to be seen; one that does not end has
	// closed its output.
	p.settle()
	if end := p.child.end(); end != "" {
		return p.errorf("%s before it was ready", end)
	}
	return p.errorf("closed its output without a handshake")
}

// explainHandshake words what is wrong with a handshake, or went wrong after it.
func (p *Process) explainHandshake(parts []string, err error) error {
	version, protocol, certificate := parts[2], parts[5], parts[6]
	mtls := p.command.MTLS || mtlsAlways
	switch {
	case version != fmt.Sprint(hook.ProtocolVersion):
		return p.explainVersion(version)
	case protocol != string(goplugin.ProtocolGRPC):
		return p.errorf("speaks %s instead of grpc", protocol)
	case mtls && certificate == "":
		return p.errorf("sent no certificate for mutual TLS")
	case !mtls && len(certificate) > unusedField:
		return p.errorf("sent a certificate that nobody asked for")
	}
	return p.explainBroken(err, "cannot be reached at its socket")
}

// explainVersion says which side is behind. A plugin that speaks several versions
// of the protocol takes the highest that the host speaks too, and without one its
// lowest, so the one in its handshake is the nearest to ours that it has.
func (p *Process) explainVersion(version string) error {
	upgrade, hint := "upgrade stagehook", "or install a release of the plugin that speaks version %d"
	// What is no int is beyond every version.
	if theirs, err := strconv.Atoi(version); err == nil && theirs < hook.ProtocolVersion {
		upgrade, hint = "upgrade the plugin", "install a release of it that speaks version %d, or build it with the SDK of this stagehook"
	}
	return p.hintf(fmt.Sprintf(hint, hook.ProtocolVersion),
		"speaks protocol version %s, this stagehook speaks %d: %s", version, hook.ProtocolVersion, upgrade)
}

// unusedField is up to where go-plugin takes the sixth field for the leftover of
// an old protocol, and above it for a certificate.
const unusedField = 50

// explainCall words a failed call.
func (p *Process) explainCall(err error) error {
	var failure *hook.Failure
	if !errors.As(err, &failure) {
		return p.explainBroken(err, "closed the connection")
	}
	hint := oneLine(failure.Hint, maxShown)
	if failure.Code == hook.FailureInternal {
		// The plugin lives and has said why; what it printed on the way is not it.
		return &Error{Plugin: p.command.Plugin, What: "failed: " + oneLine(failure.Message, shownBytes), Hint: hint}
	}
	return &hook.Failure{Code: failure.Code, Message: oneLine(failure.Message, maxShown), Hint: hint}
}

// explainBroken words what is neither an answer nor a reported failure; lost says
// that a process which lives has no connection.
func (p *Process) explainBroken(err error, lost string) error {
	var protocol *host2plugin.ProtocolError
	answer, isStatus := status.FromError(err)
	switch code := answer.Code(); {
	case errors.As(err, &protocol):
		return p.errorf("%s", oneLine(protocol.Error(), shownBytes))
	case code == codes.Unavailable, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return p.explainLost(err, lost)
	case code == codes.Unimplemented:
		return p.errorf("does not serve this call")
	case code == codes.ResourceExhausted:
		return p.errorf("sent or was sent a message of more than %d MiB", hook.MaxMessageBytes>>20)
	case isStatus:
		return p.errorf("broke the protocol: %s: %s", code, oneLine(answer.Message(), shownBytes))
	default: // go-plugin's words
		return p.errorf("broke the protocol: %s", oneLine(err.Error(), shownBytes))
	}
}

// explainLost words the end of a connection or, when err is a context's error, of
// a call that the plugin gave up by itself, as it does when it is told to end. A
// caller that cancels and an exceeded limit do not get here.
func (p *Process) explainLost(err error, lost string) error {
	p.settle()
	end := p.child.end()
	switch {
	case p.ending.Load() || p.child.gone() && p.child.cmd.ProcessState.Success():
		return p.errorf("ended before it answered")
	case end != "":
		return p.errorf("crashed: %s", end)
	case status.Code(err) != codes.Unavailable:
		return p.errorf("gave up the call: %v", err)
	}
	p.broken.Store(true)
	return p.errorf("%s", lost)
}

// refused words a plugin's refusal of its settings.
func (p *Process) refused(failure *hook.Failure) error {
	hint := oneLine(failure.Hint, maxShown)
	if hint == "" {
		hint = "stagehook plugins describe " + p.command.Plugin
	}
	return &Error{Plugin: p.command.Plugin, What: oneLine(failure.Message, maxShown), Hint: hint}
}

func (p *Process) notStarted(err error) error {
	program := p.command.Argv[0]
	var (
		lookup *exec.Error
		path   *fs.PathError
		pinned *pinError
	)
	switch {
	case errors.As(err, &pinned):
		return p.hintf("if the program was meant to change, change its sha256 in the configuration", "%v", pinned)
	case errors.Is(err, exec.ErrNotFound):
		return p.hintf("install it, or name it by its absolute path", "%s is not in PATH", program)
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(program); err == nil {
			return p.hintf("look at its #! line, or at the libraries it was linked with",
				"%s names an interpreter that does not exist", program)
		}
		return p.errorf("%s does not exist", program)
	case errors.Is(err, fs.ErrPermission) && isFolder(program):
		return p.hintf("name the program in it", "%s is a folder", program)
	case errors.Is(err, fs.ErrPermission):
		return p.hintf("chmod +x "+program, "%s may not be executed", program)
	case errors.Is(err, syscall.ENOEXEC):
		return p.hintf("it was built for another system, or it is a script without a #! line",
			"%s is not a program for this system", program)
	case errors.As(err, &lookup):
		err = lookup.Err
	case errors.As(err, &path):
		err = path.Err
	}
	return p.errorf("%s could not be started: %v", program, err)
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

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
