package process

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"runtime"

	"github.com/stagehook/stagehook/sdk/hook"
)

// maxDescription bounds what a plugin may say of itself.
const maxDescription = 1 << 20

// Describe starts the plugin's program with the argument "describe" and returns
// what it prints, within the start timeout. The end of ctx comes back as its
// error, everything else that goes wrong as an [*Error].
func Describe(ctx context.Context, command Command) (*hook.Description, error) {
	limited, cancel := context.WithTimeout(ctx, command.StartTimeout)
	defer cancel()
	p := &Process{command: command, output: &output{log: command.Log}}

	argv := append(append([]string{}, command.Argv...), "describe")
	cmd := exec.CommandContext(limited, argv[0], argv[1:]...)
	cmd.Env = command.Environ
	setGroup(cmd)
	cmd.Cancel = func() error {
		killGroup(cmd.Process.Pid)
		return nil
	}
	cmd.WaitDelay = drainTime
	stdout := &bounded{limit: maxDescription, exceeded: cancel}
	cmd.Stdout, cmd.Stderr = stdout, p.output.fromStderr()
	runtime.LockOSThread() // see child.live
	defer runtime.UnlockOSThread()
	if err := startPinned(cmd, command.SHA256); err != nil {
		return nil, p.notStarted(err)
	}
	err := cmd.Wait()
	killGroup(cmd.Process.Pid)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case stdout.over:
		return nil, p.errorf("printed more than %d bytes to describe itself", maxDescription)
	case limited.Err() != nil:
		return nil, p.errorf("did not describe itself within %s", command.StartTimeout)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return nil, p.errorf("could not describe itself: %s", endOf(cmd.ProcessState))
	}
	return p.decodeDescription(&stdout.text)
}

// decodeDescription reads what the plugin has printed.
func (p *Process) decodeDescription(text io.Reader) (*hook.Description, error) {
	var description hook.Description
	decoder := json.NewDecoder(text)
	if err := decoder.Decode(&description); err != nil {
		return nil, p.errorf("printed no JSON description: %s", oneLine(err.Error(), shownBytes))
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, p.errorf("printed more than one JSON description")
	}
	if description.Name == "" || description.Version == "" || len(description.Kinds) == 0 {
		return nil, p.errorf("printed a description without name, version or kinds")
	}
	return &description, nil
}

// bounded keeps the first limit bytes of what is written to it. When there are
// more it says so once.
type bounded struct {
	limit    int
	exceeded func()
	text     bytes.Buffer
	over     bool
}

func (b *bounded) Write(data []byte) (int, error) {
	room := b.limit - b.text.Len()
	if len(data) > room && !b.over {
		b.over = true
		b.exceeded()
	}
	b.text.Write(data[:min(len(data), room)])
	return len(data), nil
}
