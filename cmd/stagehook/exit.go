package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stagehook/stagehook/runner"
	"github.com/stagehook/stagehook/runner/config"
	"github.com/stagehook/stagehook/runner/process"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/records"
	"github.com/stagehook/stagehook/sdk/workspace"
)

// The exit codes. Some mean one thing for a command that writes and another for
// one that reads; docs/exit-codes.md has the table.
const (
	exitOK          = 0
	exitIO          = 1 // writing: IO error, or a value refused
	exitMissing     = 1 // reading: no snapshot
	exitUsage       = 2 // writing
	exitMalformed   = 2 // reading
	exitLockTimeout = 3 // writing
	exitReadUsage   = 3 // reading
	exitRefused     = 4
	exitPlugin      = 5
	exitSignal      = 128 // plus the signal's number
)

// usageError says that the command line itself is wrong.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// failure is an error as the user meets it.
type failure struct {
	code  int
	lines []string // on standard error, each behind "stagehook: "
	hint  string
}

// explain is the one place that maps errors to exit codes and texts.
func (s *session) explain(ctx context.Context, command *cobra.Command, err error) failure {
	var signal signalled
	if errors.As(context.Cause(ctx), &signal) {
		return failure{code: exitSignal + int(signal.signal), lines: []string{signal.Error()}}
	}
	if outcome, ok := isResult(err); ok {
		return explainResult(outcome)
	}
	return s.explainError(command, err)
}

// explainError maps what is no result, by the error's type.
func (s *session) explainError(command *cobra.Command, err error) failure {
	var (
		usage     *usageError
		value     *identity.ValueError
		root      *workspace.RootError
		plugin    *hook.Failure
		crash     *process.Error
		untrusted *config.UntrustedError
		checked   *invalidConfig
		invalid   *config.Error
		refused   *recordsRefused
	)
	codes := codesOf(command)
	f := failure{lines: []string{err.Error()}}
	switch {
	case errors.As(err, &usage):
		f.code, f.hint = codes.usage, command.CommandPath()+" --help"
	case errors.As(err, &value):
		f.code = codes.value
	case errors.Is(err, workspace.ErrNotInside):
		f.code, f.hint = exitIO, "name the workspace with --root, or make datarim/tasks.md in it"
	case errors.As(err, &root):
		f.code = exitIO
	case errors.As(err, &plugin):
		f.code, f.hint = codes.io, plugin.Hint
		if plugin.Code == hook.FailureLockTimeout {
			f.code = codes.lockTimeout
		}
		if codes == writerCodes {
			// It says what could not be stored; which plugin says so adds nothing.
			f.lines = []string{plugin.Message}
		}
	case errors.As(err, &crash):
		f.code, f.hint = exitPlugin, crash.Hint
		if strings.HasPrefix(f.hint, "stagehook plugins describe ") {
			f.hint += s.configFlags()
		}
	case errors.As(err, &untrusted):
		f.code, f.hint = exitPlugin, untrusted.Hint()
	case errors.As(err, &checked):
		f.code, f.lines = exitIO, checked.lines()
	case errors.As(err, &invalid):
		f.code, f.hint = exitPlugin, "stagehook config check"+s.configFlags()
	case errors.As(err, &refused):
		f.code = exitRefused
	default:
		f.code = codes.io
	}
	return f
}

// codes are the exit codes that are not the same for every command.
type codes struct{ usage, value, io, lockTimeout int }

var (
	writerCodes = codes{usage: exitUsage, value: exitIO, io: exitIO, lockTimeout: exitLockTimeout}
	readerCodes = codes{usage: exitReadUsage, value: exitReadUsage, io: exitPlugin, lockTimeout: exitPlugin}
)

// codesOf are those of a reader for the commands that read a snapshot, and else
// those of a writer.
func codesOf(command *cobra.Command) codes {
	switch command.Name() {
	case "resume", "validate", "route":
		return readerCodes
	}
	return writerCodes
}

// configFlags are the flags, as typed, that choose the configuration.
func (s *session) configFlags() string {
	flags := ""
	for _, flag := range [][2]string{{"root", s.root}, {"config", s.configFile}, {"profile", s.profile}, {"log-level", s.logLevel}} {
		name, value := flag[0], flag[1]
		if value != "" {
			flags += fmt.Sprintf(" --%s %s", name, config.ShellWord(value))
		}
	}
	return flags
}

// explainResult maps the results that are no success.
func explainResult(outcome *runner.Outcome) failure {
	switch outcome.Result {
	case runner.Missing:
		return failure{code: exitMissing, lines: []string{"no " + fileOf(outcome.Event)}}
	case runner.Malformed:
		return failure{code: exitMalformed, lines: []string{
			fmt.Sprintf("the %s is malformed: %s: %s", fileOf(outcome.Event), outcome.Problem.Code, outcome.Problem.Detail),
		}}
	default:
		f := failure{code: exitRefused, hint: refusedHint(outcome)}
		for _, refusal := range outcome.Refusals {
			line := "route refused: " + refusal.Code
			if refusal.Path != "" {
				line += ": " + refusal.Path
			}
			f.lines = append(f.lines, line+": "+refusal.Detail)
		}
		return f
	}
}

// refusedHint tells who has refused where there are several who may, and what to
// do about a route that was asked for and that no record gives.
func refusedHint(outcome *runner.Outcome) string {
	last, revalidators := "", 0
	for _, step := range outcome.Steps {
		if step.Kind == hook.KindRevalidator {
			revalidators++
			if step.PID != 0 {
				last = step.Plugin
			}
		}
	}
	none := outcome.Event.Name == runner.Route && len(outcome.Refusals) == len(records.Paths(outcome.Event.TaskID))
	for _, refusal := range outcome.Refusals {
		none = none && refusal.Code == records.CodeMissing
	}
	switch {
	case none:
		return fmt.Sprintf("%s has no records, so only a resume can go on, by its snapshot; or is the ID mistyped?", outcome.Event.TaskID)
	case revalidators > 1 && last != "":
		return "refused by the plugin " + last
	}
	return ""
}

// fileOf names the file that an event reads.
func fileOf(event runner.Event) string {
	if event.SessionID != "" {
		return "session " + event.SessionID
	}
	return "snapshot of " + event.TaskID
}

// exit reports an error and returns the exit code.
func (s *session) exit(ctx context.Context, command *cobra.Command, err error) int {
	if err == nil {
		return exitOK
	}
	f := s.explain(ctx, command, err)
	// A resume without a usable snapshot falls back to the caller's own ways, and
	// the contract wants that silent. A session has no such ways.
	if command.Name() == "resume" && !command.Flags().Changed("session") && (f.code == exitMissing || f.code == exitMalformed) {
		return f.code
	}
	for _, line := range f.lines {
		fmt.Fprintf(s.err, "stagehook: %s\n", oneLine(s.err, line))
	}
	if f.hint != "" {
		fmt.Fprintf(s.err, "stagehook: hint: %s\n", oneLine(s.err, f.hint))
	}
	return f.code
}
