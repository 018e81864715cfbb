package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/stagehook/stagehook/runner"
	"github.com/stagehook/stagehook/sdk/records"
	"github.com/stagehook/stagehook/sdk/snapshot"
	"github.com/stagehook/stagehook/sdk/workspace"
)

func newRecords(s *session) *cobra.Command {
	return newGroup("records", "Look at a task's decision records", newRecordsCheck(s), newRecordsDigest(s))
}

func newRecordsCheck(s *session) *cobra.Command {
	var task string
	cmd := &cobra.Command{
		Use:         "check",
		Short:       "Check a task's records, and show what was compared",
		Args:        noArguments,
		Annotations: required("task"),
		RunE:        func(cmd *cobra.Command, _ []string) error { return s.checkRecords(cmd, task) },
	}
	cmd.Flags().StringVar(&task, "task", "", "task ID (required)")
	return cmd
}

// checkRecords makes the checks of the built-in revalidator in this process, for
// a person to read.
func (s *session) checkRecords(cmd *cobra.Command, task string) error {
	event := runner.Event{Name: runner.Route, TaskID: task}
	opened, err := s.openFor(&event)
	if err != nil {
		return err
	}
	ws, err := workspace.Open(event.Root)
	if err != nil {
		return err
	}
	defer ws.Close()
	files := ws.Files()
	defer files.Close()
	body, err := bodyOf(ws, task)
	if err != nil {
		return err
	}
	report, err := records.Verify(cmd.Context(), files, records.Query{
		TaskID:  task,
		Grammar: opened.runner.Grammar(),
		Body:    body,
		Now:     time.Now(),
	})
	if err != nil {
		return err
	}
	if err := s.printChecks(report.Checks); err != nil {
		return err
	}
	if !report.Result.Fresh() {
		return &recordsRefused{task: task, refusals: len(report.Result.Refusals)}
	}
	route := report.Result.Route
	_, err = fmt.Fprintf(s.out, "\nthe route is %s, token %s\n", route.Command, route.Token.Value)
	return err
}

// bodyOf returns what may hold a projection: all of the snapshot's file, valid or
// not, since this command judges records and not snapshots.
func bodyOf(ws *workspace.Workspace, task string) ([]byte, error) {
	data, _, err := ws.Read(snapshot.Path(task), snapshot.MaxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// recordsRefused says that the checks, which were shown, do not allow a route.
type recordsRefused struct {
	task     string
	refusals int
}

func (e *recordsRefused) Error() string {
	return fmt.Sprintf("the records of %s allow no route; refusals: %d", e.task, e.refusals)
}

func newRecordsDigest(s *session) *cobra.Command {
	return &cobra.Command{
		Use:   "digest FILE...",
		Short: "Print the digests of files as records name them",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("digest takes the names of files")
			}
			named := func(name string) bool { return name == "-" }
			if first := slices.IndexFunc(args, named); first >= 0 && slices.ContainsFunc(args[first+1:], named) {
				return usagef("standard input can be read only once")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return s.digest(cmd.Context(), args) },
	}
}

// digest prints a line for each file, up to the first that cannot be read.
func (s *session) digest(ctx context.Context, names []string) error {
	for _, name := range names {
		digest, err := s.digestUntil(ctx, name)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(s.out, "%s  %s\n", digest, oneLine(s.out, name)); err != nil {
			return err
		}
	}
	return nil
}

// digestUntil does not wait for a file that cannot be read to its end, such as a
// FIFO, once the command has to end.
func (s *session) digestUntil(ctx context.Context, name string) (string, error) {
	type result struct {
		digest string
		err    error
	}
	done := make(chan result, 1)
	go func() {
		digest, err := s.digestOf(name)
		done <- result{digest, err}
	}()
	select {
	case r := <-done:
		return r.digest, r.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (s *session) digestOf(name string) (string, error) {
	if isStandardInput(name) {
		return records.Digest(s.in)
	}
	file, err := openInput(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	return records.Digest(file)
}
