package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stagehook/stagehook/runner"
	"github.com/stagehook/stagehook/runner/language"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/snapshot"
	"github.com/stagehook/stagehook/sdk/workspace"
)

type resumeOptions struct {
	task, session      string
	format             string
	replies, artifacts string
}

func newResume(s *session) *cobra.Command {
	o := &resumeOptions{}
	cmd := &cobra.Command{
		Use:         "resume",
		Short:       "Print the prompt that resumes a task or a session",
		Args:        noArguments,
		Annotations: required("task|session"),
		RunE:        func(cmd *cobra.Command, _ []string) error { return s.resume(cmd, o) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.task, "task", "", "task ID (this or --session is required)")
	flags.StringVar(&o.session, "session", "", "session ID, to resume a session from its artefact")
	flags.StringVar(&o.format, "format", "prompt", "prompt, json or hint")
	flags.StringVar(&o.replies, "replies", "", "language of the replies, a BCP 47 tag")
	flags.StringVar(&o.artifacts, "artifacts", "", "language of the artifacts, a BCP 47 tag")
	completeFrom(cmd, "format", "prompt", "json", "hint")
	return cmd
}

func (s *session) resume(cmd *cobra.Command, o *resumeOptions) error {
	if o.format != "prompt" && o.format != "json" && o.format != "hint" {
		return usagef("--format %q is none of prompt, json, hint", o.format)
	}
	event := runner.Event{Name: runner.Resume, TaskID: o.task, SessionID: o.session}
	ws, err := s.openFor(&event)
	if err != nil {
		return s.noResume(o, err)
	}
	outcome, err := s.fire(cmd.Context(), ws.runner, event)
	if o.session != "" || outcome.Result != runner.Missing && outcome.Result != runner.Malformed {
		s.warn(outcome.Warnings)
	}
	if err != nil {
		return s.noResume(o, err)
	}
	switch o.format {
	case "json":
		return s.printJSON(s.resumeResult(cmd, outcome, o))
	case "hint":
		word, _, _ := strings.Cut(outcome.Rendered.Command, " ")
		_, err = s.out.Write([]byte(word + "\n"))
	default:
		_, err = s.out.Write(outcome.Rendered.Prompt)
	}
	return err
}

type noResumeJSON struct {
	TaskID    string `json:"task_id,omitempty"`
	SessionID string `json:"session_id,omitempty"`
	Result    string `json:"result"`
	*snapshot.Problem
}

// noResume prints, for --format json, why there is nothing to resume from. In
// the other formats the caller of a task's resume falls back in silence.
func (s *session) noResume(o *resumeOptions, err error) error {
	if o.format != "json" {
		return err
	}
	reason := noResumeJSON{TaskID: o.task, SessionID: o.session, Result: string(runner.Missing)}
	outcome, isResult := isResult(err)
	var root *workspace.RootError
	switch {
	case isResult && outcome.Result == runner.Malformed:
		reason.Result, reason.Problem = string(outcome.Result), outcome.Problem
	case isResult && outcome.Result == runner.Missing:
	case errors.Is(err, workspace.ErrNotInside), errors.As(err, &root):
		reason.Problem = &snapshot.Problem{Code: "no-workspace", Detail: err.Error()}
	default:
		return err
	}
	return errors.Join(err, s.printJSON(reason))
}

type resumeJSON struct {
	Prompt    string              `json:"prompt"`
	Command   string              `json:"command"`
	Purpose   string              `json:"purpose"`
	TaskID    string              `json:"task_id,omitempty"`
	Snapshot  *resumeSnapshotJSON `json:"snapshot,omitempty"`
	SessionID string              `json:"session_id,omitempty"`
	Session   *resumeSessionJSON  `json:"session,omitempty"`
	Route     *hook.RouteDocument `json:"route,omitempty"`
	Languages languagesJSON       `json:"languages"`
}

type resumeSnapshotJSON struct {
	Path       string `json:"path"`
	CapturedAt string `json:"captured_at"`
	Stage      string `json:"stage"`
}

type resumeSessionJSON struct {
	Path        string   `json:"path"`
	CapturedAt  string   `json:"captured_at"`
	ActiveTasks []string `json:"active_tasks"`
}

type languagesJSON struct {
	Replies   string `json:"replies"`
	Artifacts string `json:"artifacts"`
}

func (s *session) resumeResult(cmd *cobra.Command, outcome *runner.Outcome, o *resumeOptions) resumeJSON {
	languages, warnings := language.Resolve(language.Sources{
		Replies:   o.replies,
		Artifacts: o.artifacts,
		Root:      outcome.Event.Root,
		Getenv:    os.Getenv,
	})
	for _, name := range []string{"replies", "artifacts"} {
		if flag := cmd.Flags().Lookup(name); flag.Changed && flag.Value.String() == "" {
			warnings = append(warnings, fmt.Sprintf("languages: the command line: %s is empty", name))
		}
	}
	s.warn(warnings)
	result := resumeJSON{
		Prompt:    string(outcome.Rendered.Prompt),
		Command:   outcome.Rendered.Command,
		Purpose:   outcome.Rendered.Purpose,
		TaskID:    outcome.Event.TaskID,
		SessionID: outcome.Event.SessionID,
		Languages: languagesJSON{Replies: languages.Replies, Artifacts: languages.Artifacts},
	}
	if read := outcome.Validated.Snapshot; read != nil {
		result.Snapshot = &resumeSnapshotJSON{
			Path:       outcome.Validated.Path,
			CapturedAt: read.CapturedAt.Format(time.RFC3339),
			Stage:      read.Stage,
		}
	}
	if read := outcome.Validated.Session; read != nil {
		result.Session = &resumeSessionJSON{
			Path:        outcome.Validated.Path,
			CapturedAt:  read.CapturedAt.Format(time.RFC3339),
			ActiveTasks: append([]string{}, read.ActiveTasks...), // a list, even if empty
		}
	}
	if outcome.Revalidated != nil {
		result.Route = routeDocument(outcome)
	}
	return result
}
