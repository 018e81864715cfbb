package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/grpc/grpclog"

	"github.com/stagehook/stagehook/configs"
	"github.com/stagehook/stagehook/runner/process"
	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/identity"
)

// session is what every command works with.
type session struct {
	in       io.Reader
	out, err io.Writer

	root       string // --root
	configFile string // --config
	profile    string // --profile
	logLevel   string // --log-level
}

// run executes one command line.
func run(args []string, in io.Reader, out, errOut io.Writer) int {
	// It writes to standard error where variables of its own say so.
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, io.Discard, io.Discard))
	s := &session{in: in, out: shown(out), err: shown(errOut)}
	defer s.flush()
	root := newRoot(s, args)
	if killSwitch(root, args) {
		return exitOK
	}
	ctx, stop := untilSignal()
	defer stop()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	command, err := executeUntil(ctx, root)
	return s.exit(ctx, command, err)
}

// endGrace is how long a command that a signal has ended may take to tidy up. It
// is more than plugins are given to end.
const endGrace = 5 * time.Second

// executeUntil does not wait for a command that a signal has ended and that is
// blocked in something which no context reaches, such as the opening of a FIFO.
func executeUntil(ctx context.Context, root *cobra.Command) (*cobra.Command, error) {
	type result struct {
		command *cobra.Command
		err     error
	}
	done := make(chan result, 1)
	go func() {
		command, err := execute(ctx, root)
		done <- result{command, err}
	}()
	select {
	case r := <-done:
		return r.command, r.err
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.command, r.err
	case <-time.After(endGrace):
		return root, context.Cause(ctx)
	}
}

// execute turns a panic into an error: Go's own exit code for it, 2, would tell a
// caller of resume that the snapshot is malformed.
func execute(ctx context.Context, root *cobra.Command) (command *cobra.Command, err error) {
	command = root
	defer func() {
		if cause := recover(); cause != nil {
			err = &process.Error{Plugin: "runner", What: fmt.Sprintf("panic: %v", cause)}
		}
	}()
	return root.ExecuteContextC(ctx)
}

func newRoot(s *session, args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "stagehook",
		Short: "Store the answer a pipeline stage ends with, and resume from it",
		Long: "stagehook fires when a pipeline stage exits, when its work is resumed and when a\n" +
			"task is archived. Each event runs the configured plugins, one process each.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs, // so that an unknown command is ours to report
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return cmd.Help()
		},
		PersistentPreRunE: checkFlags,

		SuggestionsMinimumDistance: suggestionDistance,
		Version:                    sdk.Version,
	}
	flags := root.PersistentFlags()
	flags.StringVar(&s.root, "root", "", "root of the workspace (default: found upwards)")
	flags.StringVar(&s.configFile, "config", "", "configuration file, read after all others")
	flags.StringVar(&s.profile, "profile", "", "shipped profile to start from, such as datarim-2.67")
	flags.StringVar(&s.logLevel, "log-level", "", "off, error, warn, info, debug or trace")
	completeFrom(root, "profile", configs.Profiles()...)
	completeFrom(root, "log-level", "off", "error", "warn", "info", "debug", "trace")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		// The flags of a command that does not exist are not to blame.
		if at := strings.Count(cmd.CommandPath(), " "); cmd.HasSubCommands() && at < len(args) && !strings.HasPrefix(args[at], "-") {
			return unknownCommand(cmd, args[at])
		}
		return usagef("%s", err)
	})

	root.AddCommand(
		newStageExit(s), newResume(s), newArchive(s), newValidate(s), newRoute(s), newRecords(s), newUnlock(s),
		newPlugins(s), newConfig(s), newTrust(s), newDemo(s), newVersion(s),
	)
	return root
}

// newGroup is a command that only holds others.
func newGroup(name, short string, commands ...*cobra.Command) *cobra.Command {
	group := &cobra.Command{
		Use:   name,
		Short: short,
		Args:  cobra.ArbitraryArgs, // so that an unknown command is ours to report
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return cmd.Help()
		},
		SuggestionsMinimumDistance: suggestionDistance,
	}
	group.AddCommand(commands...)
	return group
}

// suggestionDistance is how many letters may be wrong in a command's name.
const suggestionDistance = 2

// unknownCommand names the command that was perhaps meant.
func unknownCommand(parent *cobra.Command, name string) error {
	_, group, _ := strings.Cut(parent.CommandPath(), " ")
	message := fmt.Sprintf("unknown command %q", strings.TrimSpace(group+" "+name))
	if meant := parent.SuggestionsFor(name); len(meant) > 0 {
		message += "; did you mean " + strings.Join(meant, " or ") + "?"
	}
	return &usageError{message}
}

// requiredFlags is the key of a command's annotation that lists its required
// flags in alphabetical order.
const requiredFlags = "required-flags"

// required annotates a command with the flags that it needs; "a|b" stands for
// either of two, but not both.
func required(names ...string) map[string]string {
	slices.Sort(names)
	return map[string]string{requiredFlags: strings.Join(names, " ")}
}

// checkFlags refuses a command line without the flags that its command needs,
// and an empty value where it would count as no value: whoever gives a variable
// that was never set means neither "here" nor "now".
func checkFlags(cmd *cobra.Command, _ []string) error {
	var missing []string
	for _, name := range strings.Fields(cmd.Annotations[requiredFlags]) {
		name, other, alternative := strings.Cut(name, "|")
		switch {
		case alternative && cmd.Flags().Changed(name) && cmd.Flags().Changed(other):
			return usagef("--%s and --%s exclude each other", name, other)
		case alternative && !cmd.Flags().Changed(name) && !cmd.Flags().Changed(other):
			missing = append(missing, "--"+name+" or --"+other)
		case !alternative && !cmd.Flags().Changed(name):
			missing = append(missing, "--"+name)
		}
	}
	if missing != nil {
		return usagef("missing required flag(s): %s", strings.Join(missing, " "))
	}
	for _, name := range []string{"root", "config", "profile", "log-level", "session", "body-file", "options-file", "captured-at", "dir", "sdk"} {
		if flag := cmd.Flags().Lookup(name); flag != nil && flag.Changed && flag.Value.String() == "" {
			return &identity.ValueError{Field: "--" + name, Detail: "is empty"}
		}
	}
	return nil
}

// noArguments refuses positional arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("unexpected argument %q", args[0])
	}
	return nil
}

// signalled is the cause of a context that a signal has ended.
type signalled struct{ signal syscall.Signal }

func (s signalled) Error() string { return fmt.Sprintf("ended by %s", s.signal) }

// untilSignal returns a context that ends with the first signal that asks the
// program to end. Later ones are ignored: what they would cut short has a limit.
// A signal that the caller had ignored, as nohup does, stays ignored.
func untilSignal() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	go func() {
		if received, ok := (<-signals).(syscall.Signal); ok {
			cancel(signalled{received})
		}
	}()
	return ctx, func() { cancel(nil) }
}

// completeFrom has the shell complete a flag's value from a list.
func completeFrom(cmd *cobra.Command, flag string, values ...string) {
	// It fails only for a flag that does not exist.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}
