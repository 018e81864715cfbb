package main

import (
	"github.com/spf13/cobra"

	"github.com/stagehook/stagehook/runner"
)

func newArchive(s *session) *cobra.Command {
	var task string
	var asJSON bool
	cmd := &cobra.Command{
		Use:         "archive",
		Short:       "Move a task's last snapshot to the archive",
		Args:        noArguments,
		Annotations: required("task"),
		RunE:        func(cmd *cobra.Command, _ []string) error { return s.archive(cmd, task, asJSON) },
	}
	cmd.Flags().StringVar(&task, "task", "", "task ID (required)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return cmd
}

type archiveJSON struct {
	TaskID     string   `json:"task_id"`
	Result     string   `json:"result"`
	ArchivedTo string   `json:"archived_to,omitempty"`
	Warnings   []string `json:"warnings,omitempty"`
}

func (s *session) archive(cmd *cobra.Command, task string, asJSON bool) error {
	event := runner.Event{Name: runner.Archive, TaskID: task}
	ws, err := s.openFor(&event)
	if err != nil {
		return err
	}
	outcome, err := s.fire(cmd.Context(), ws.runner, event)
	s.warn(outcome.Warnings)
	if err != nil {
		return err
	}
	result := archiveJSON{TaskID: task, Result: string(outcome.Result), Warnings: outcome.Warnings}
	if outcome.Result == runner.Done {
		result.ArchivedTo = outcome.Archived.Path
	}
	if asJSON {
		return s.printJSON(result)
	}
	if result.ArchivedTo != "" {
		s.success("moved to %s", result.ArchivedTo)
	} else {
		s.success("%s has no snapshot to archive", task)
	}
	return nil
}
