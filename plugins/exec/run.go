package exec

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/program"
)

const (
	// answerTime is what is kept of a call's time to tell the host that the
	// program was too slow. Silence would count as a broken plugin.
	answerTime = 500 * time.Millisecond
	// drainTime is how long the program's pipes may stay open after its end: a
	// child that has left its group may hold them. It is a part of answerTime.
	drainTime = 250 * time.Millisecond
)

// run runs the program in the root and returns when it and its process group are
// gone. It finds input on standard input as JSON; what it prints goes to output,
// nil when nobody wants it. The error is one sentence, that of ctx, or a
// [*sdk.Failure] when the program must not be run.
func (p *plugin) run(ctx context.Context, task sdk.Task, input any, output *answerBuffer) error {
	words, err := words(p.settings.Command, task)
	if err != nil {
		return err
	}
	data, err := encode(input)
	if err != nil {
		return err
	}
	limited, cancel := withoutAnswerTime(ctx)
	defer cancel()
	begin := time.Now()

	cmd := exec.CommandContext(limited, words[0], words[1:]...)
	var unsafe *program.UnsafeError
	if errors.As(program.Check(cmd.Path), &unsafe) {
		return &sdk.Failure{
			Code:    hook.FailureInternal,
			Message: "the helper is not safe from others: " + unsafe.What,
			Hint:    unsafe.Hint,
		}
	}
	cmd.Dir = task.Root
	cmd.Env = environ()
	cmd.Stdin = bytes.NewReader(data)
	if output != nil {
		output.exceeded = cancel
		cmd.Stdout = output
	}
	complaint := &tail{}
	cmd.Stderr = complaint
	err = runGroup(cmd)
	if len(complaint.kept) > 0 {
		sdk.Logger(ctx).Debug("the helper wrote to standard error", "end", string(complaint.kept))
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case output != nil && output.over:
		return fmt.Errorf("the helper printed more than %d bytes", maxAnswer)
	case limited.Err() != nil:
		return fmt.Errorf("the helper did not end within %s", time.Since(begin).Round(time.Millisecond))
	case cmd.ProcessState == nil:
		return fmt.Errorf("the helper %q could not be started: %w%s", words[0], deepest(err), executable(err))
	}
	return ending(cmd.ProcessState, complaint.lastLine())
}

// runGroup runs the program in a process group of its own, so that whatever it
// has started can be ended with it, and ends that group.
func runGroup(cmd *exec.Cmd) error {
	restorePipeSignal()
	// Linux ends the program also with the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = ownGroup()
	cmd.Cancel = func() error {
		killGroup(cmd.Process)
		return nil
	}
	cmd.WaitDelay = drainTime
	if err := cmd.Start(); err != nil {
		return err
	}
	defer killGroup(cmd.Process)
	return cmd.Wait()
}

// restorePipeSignal gives programs back what the SDK ignores for the plugin: a
// shell that cannot be ended by SIGPIPE writes into a closed pipe for ever. Go
// ends no process by a signal that somebody is notified of.
var restorePipeSignal = sync.OnceFunc(func() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
})

// withoutAnswerTime ends before ctx does.
func withoutAnswerTime(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, limited := ctx.Deadline()
	if !limited {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, deadline.Add(-min(answerTime, time.Until(deadline)/4)))
}

// encode writes JSON as a person would, for programs that only search the text.
func encode(input any) ([]byte, error) {
	var data bytes.Buffer
	encoder := json.NewEncoder(&data)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(input)
	return data.Bytes(), err
}

// ending is nil for the exit code 0, else it says how the program has ended.
func ending(state *os.ProcessState, lastLine string) error {
	how := state.String() // such as "signal: killed"
	if state.Exited() {
		how = fmt.Sprintf("exit code %d", state.ExitCode())
	}
	switch {
	case state.Success():
		return nil
	case lastLine == "":
		return fmt.Errorf("the helper ended with %s", how)
	}
	return fmt.Errorf("the helper ended with %s: %s", how, lastLine)
}

// deepest is the cause of an error, without the names that are wrapped around it.
func deepest(err error) error {
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return err
}

// executable is the usual cause of a permission that is denied.
func executable(err error) string {
	if errors.Is(err, fs.ErrPermission) {
		return "; is it executable?"
	}
	return ""
}
