package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/stagehook/stagehook/runner"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// demoFiles are a small workspace and what one of its stages ended with.
//
//go:embed demo
var demoFiles embed.FS

const demoTask = "DEMO-0001"

func newDemo(s *session) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Show a stage exit, a resume and an archive on a sample workspace",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return s.demo(cmd.Context()) },
	}
}

// demo fires the three events on a copy of the sample in a temporary folder.
func (s *session) demo(ctx context.Context) (err error) {
	root, err := os.MkdirTemp("", "stagehook-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
	if err := os.Mkdir(filepath.Join(root, "datarim"), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(root, "datarim", "tasks.md"), demoFile("datarim/tasks.md"), 0o644); err != nil {
		return err
	}
	// A reader that goes away must not keep the folder from being removed.
	signal.Ignore(syscall.SIGPIPE)
	out := &strictWriter{out: s.out}
	defer func() { err = errors.Join(err, out.err) }()
	d := &demonstration{session: s, out: out, root: root}
	fmt.Fprintf(out, "A sample workspace was made in %s and will be removed at the end.\n", root)

	answer, err := demoAnswer()
	if err != nil {
		return err
	}
	d.title("A stage ends: stage-exit stores its answer of %d bytes", len(answer.Body))
	d.fire(ctx, runner.Event{Name: runner.StageExit, Answer: answer})
	d.show(snapshot.Path(demoTask))

	d.title("Work resumes: resume validates the snapshot and renders the prompt")
	if outcome := d.fire(ctx, runner.Event{Name: runner.Resume}); outcome != nil && outcome.Rendered != nil {
		d.quote("the prompt", outcome.Rendered.Prompt)
	}

	d.title("The task is done: archive moves the snapshot away")
	if outcome := d.fire(ctx, runner.Event{Name: runner.Archive}); outcome != nil && outcome.Archived != nil {
		fmt.Fprintf(out, "\n   %s\n   → %s\n", snapshot.Path(demoTask), outcome.Archived.Path)
	}
	return d.err
}

func demoFile(name string) []byte {
	data, err := fs.ReadFile(demoFiles, "demo/"+name)
	if err != nil {
		panic(err) // it is embedded
	}
	return data
}

func demoAnswer() (*hook.Answer, error) {
	options, err := runner.ParseOptions(demoFile("options.txt"))
	return &hook.Answer{
		Stage:           "plan",
		Command:         "/dr-plan",
		CapturedAt:      time.Now().UTC().Truncate(time.Second),
		CapturedBy:      "agent",
		RecommendedNext: "/dr-do",
		Options:         options,
		Body:            demoFile("answer.md"),
	}, err
}

// strictWriter remembers the first error of its writes, which the many lines of a
// demo would each have to look at.
type strictWriter struct {
	out io.Writer
	err error
}

func (w *strictWriter) Write(data []byte) (int, error) {
	if w.err == nil {
		_, w.err = w.out.Write(data)
	}
	return len(data), nil
}

// demonstration fires events until one of them fails.
type demonstration struct {
	*session
	out   io.Writer // in front of the session's
	root  string
	count int
	err   error
}

func (d *demonstration) title(format string, args ...any) {
	if d.err == nil {
		d.count++
		fmt.Fprintf(d.out, "\n%d. %s\n\n", d.count, fmt.Sprintf(format, args...))
	}
}

// fire fires an event with plugins of its own, as a command does, and tables
// which process did what.
func (d *demonstration) fire(ctx context.Context, event runner.Event) *runner.Outcome {
	if d.err != nil {
		return nil
	}
	var r *runner.Runner
	if _, r, d.err = d.configured(d.root); d.err != nil {
		return nil
	}
	event.Root, event.TaskID = d.root, demoTask
	var outcome *runner.Outcome
	outcome, d.err = d.session.fire(ctx, r, event)
	writeSteps(d.out, outcome)
	return outcome
}

// writeSteps tables the steps that ran, and says below why others did not.
func writeSteps(out io.Writer, outcome *runner.Outcome) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "   STEP\tPLUGIN\tPROCESS\tREADY AFTER\tCALL")
	var skipped strings.Builder
	for _, step := range outcome.Steps {
		if step.Skipped != "" {
			fmt.Fprintf(&skipped, "   %s was not started: %s\n", step.Plugin, step.Skipped)
			continue
		}
		fmt.Fprintf(table, "   %s\t%s\t%d\t%s\t%s\n", step.Kind, step.Plugin, step.PID, milliseconds(step.Start), milliseconds(step.Call))
	}
	_ = table.Flush()
	fmt.Fprintf(out, "%s   %s after %s\n", skipped.String(), outcome.Result, milliseconds(outcome.Elapsed))
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}

// show quotes a file of the workspace.
func (d *demonstration) show(path string) {
	if d.err != nil {
		return
	}
	var data []byte
	if data, d.err = os.ReadFile(filepath.Join(d.root, filepath.FromSlash(path))); d.err == nil {
		d.quote(path, data)
	}
}

func (d *demonstration) quote(title string, text []byte) {
	fmt.Fprintf(d.out, "\n   %s:\n\n", title)
	for line := range strings.Lines(string(text)) {
		fmt.Fprintf(d.out, "   | %s\n", strings.TrimRight(line, "\n"))
	}
}
