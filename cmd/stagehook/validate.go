package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stagehook/stagehook/runner"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

type validateOptions struct {
	task, session, level string
	json                 bool
}

func newValidate(s *session) *cobra.Command {
	o := &validateOptions{}
	cmd := &cobra.Command{
		Use:         "validate",
		Short:       "Say whether a task's snapshot, or a session's artefact, is valid",
		Args:        noArguments,
		Annotations: required("task|session"),
		RunE:        func(cmd *cobra.Command, _ []string) error { return s.validate(cmd, o) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.task, "task", "", "task ID (this or --session is required)")
	flags.StringVar(&o.session, "session", "", "session ID, for a session's artefact")
	flags.StringVar(&o.level, "level", string(snapshot.LevelStrict), "how strictly to judge: strict or schema")
	flags.BoolVar(&o.json, "json", false, "print the result as JSON")
	completeFrom(cmd, "level", "strict", "schema")
	return cmd
}

type validateJSON struct {
	TaskID    string `json:"task_id,omitempty"`
	SessionID string `json:"session_id,omitempty"`
	Verdict   string `json:"verdict"`
	Path      string `json:"path,omitempty"`
	*snapshot.Problem
}

func (s *session) validate(cmd *cobra.Command, o *validateOptions) error {
	level := snapshot.Level(o.level)
	if level != snapshot.LevelStrict && level != snapshot.LevelSchema {
		return usagef("--level %q is none of strict, schema", o.level)
	}
	event := runner.Event{Name: runner.Validate, TaskID: o.task, SessionID: o.session, Level: level}
	ws, err := s.openFor(&event)
	if err != nil {
		return err
	}
	outcome, err := s.fire(cmd.Context(), ws.runner, event)
	if _, isResult := isResult(err); err != nil && !isResult {
		return err
	}
	result := validateJSON{
		TaskID: o.task, SessionID: o.session,
		Verdict: "valid", Path: snapshot.FilePath(o.task, o.session), Problem: outcome.Problem,
	}
	if err != nil {
		result.Verdict = string(outcome.Result)
	}
	switch {
	case o.json:
		if printErr := s.printJSON(result); printErr != nil {
			return printErr
		}
	case err == nil:
		_, err = fmt.Fprintf(s.out, "%s is valid\n", result.Path)
	}
	return err
}
