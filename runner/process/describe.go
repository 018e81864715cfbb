package process

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"

	"github.com/stagehook/stagehook/sdk/hook"
)

// maxDescription bounds what a plugin may say of itself.
const maxDescription = 1 << 20

// Describe starts the plugin's program with the argument "describe" and returns
// what it prints, within the start timeout.
func Describe(ctx context.Context, command Command) (*hook.Description, error) {
	ctx, cancel := context.WithTimeout(ctx, command.StartTimeout)
	defer cancel()
	p := &Process{command: command, output: &output{log: command.Log}}

	argv := append(append([]string{}, command.Argv...), "describe")
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = command.Environ
	setGroup(cmd)
	cmd.Cancel = func() error {
		killGroup(cmd.Process.Pid)
		return nil
	}
	cmd.WaitDelay = drainTime
	stdout := &bounded{limit: maxDescription}
	cmd.Stdout, cmd.Stderr = stdout, p.output
	if err := startRetrying(cmd); err != nil {
		return nil, p.notStarted(err)
	}
	err := cmd.Wait()
	killGroup(cmd.Process.Pid)
	switch {
	case ctx.Err() != nil:
		return nil, p.errorf("did not describe itself within %s", command.StartTimeout)
	case stdout.over:
		return nil, p.errorf("printed more than %d bytes to describe itself", maxDescription)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return nil, p.errorf("could not describe itself: %v", err)
	}
	var description hook.Description
	decoder := json.NewDecoder(&stdout.text)
	if err := decoder.Decode(&description); err != nil {
		return nil, p.errorf("printed no JSON description: %v", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, p.errorf("printed more than one JSON description")
	}
	return &description, nil
}

// bounded keeps the first limit bytes of what is written to it and remembers
// whether there were more.
type bounded struct {
	limit int
	text  bytes.Buffer
	over  bool
}

func (b *bounded) Write(data []byte) (int, error) {
	room := b.limit - b.text.Len()
	b.over = b.over || len(data) > room
	b.text.Write(data[:min(len(data), room)])
	return len(data), nil
}
