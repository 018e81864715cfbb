package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/stagehook/stagehook/runner"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
)

// killSwitch reports whether the operator has switched the storing of snapshots
// off. It comes before everything else: then nothing is read, written or
// started, and even a wrong flag is no error.
func killSwitch(root *cobra.Command, args []string) bool {
	if os.Getenv("DATARIM_DISABLE_SNAPSHOT") != "1" {
		return false
	}
	command, _, err := root.Find(args)
	return err == nil && command.Name() == "stage-exit"
}

type stageExitOptions struct {
	task, capturedAt      string
	bodyFile, optionsFile string
	json                  bool
	answer                hook.Answer
}

func newStageExit(s *session) *cobra.Command {
	o := &stageExitOptions{}
	cmd := &cobra.Command{
		Use:         "stage-exit",
		Short:       "Store the answer that a stage ended with",
		Args:        noArguments,
		Annotations: required("task", "stage", "command", "captured-by", "recommended-next", "body-file"),
		RunE:        func(cmd *cobra.Command, _ []string) error { return s.stageExit(cmd, o) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.task, "task", "", "task ID, such as TUNE-0254 (required)")
	flags.StringVar(&o.answer.Stage, "stage", "", "stage that ended, such as plan (required)")
	flags.StringVar(&o.answer.Command, "command", "", "the stage command, such as /dr-plan (required)")
	flags.StringVar(&o.answer.CapturedBy, "captured-by", "", "agent or operator (required)")
	flags.StringVar(&o.answer.RecommendedNext, "recommended-next", "", "what to go on with, such as /dr-do (required)")
	flags.StringVar(&o.bodyFile, "body-file", "", "file with the answer, - for stdin (required)")
	flags.StringVar(&o.optionsFile, "options-file", "", "file with lines COMMAND | PURPOSE, - for stdin")
	flags.StringVar(&o.capturedAt, "captured-at", "", "time of the answer, RFC 3339 (default: now)")
	flags.BoolVar(&o.json, "json", false, "print the result as JSON")
	completeFrom(cmd, "captured-by", "agent", "operator")
	return cmd
}

func (s *session) stageExit(cmd *cobra.Command, o *stageExitOptions) error {
	if isStandardInput(o.bodyFile) && isStandardInput(o.optionsFile) {
		return usagef("standard input can serve --body-file or --options-file, not both")
	}
	o.answer.CapturedAt = time.Now().UTC().Truncate(time.Second)
	if cmd.Flags().Changed("captured-at") {
		at, err := identity.CapturedAt(o.capturedAt)
		if err != nil {
			return err
		}
		o.answer.CapturedAt = at
	}
	event := runner.Event{Name: runner.StageExit, TaskID: o.task, Answer: &o.answer}
	ws, err := s.openFor(&event)
	if err != nil {
		return err
	}
	// The runner opens it again; here a root that is refused keeps the command from
	// waiting for input.
	if err := usable(ws.root); err != nil {
		return err
	}
	warnings, err := s.readAnswer(cmd.Context(), ws.config.InputTimeout, o)
	if err != nil {
		return err
	}
	outcome, err := s.fire(cmd.Context(), ws.runner, event)
	outcome.Warnings = append(warnings, outcome.Warnings...)
	s.warn(outcome.Warnings)
	if err != nil {
		return err
	}
	if o.json {
		return s.printJSON(stageExitResult(outcome))
	}
	if outcome.Written != nil {
		cut := ""
		if outcome.Written.Truncated {
			cut = ", truncated"
		}
		s.success("stored %s (%d bytes%s)", outcome.Written.Path, outcome.Written.SizeBytes, cut)
	}
	return nil
}

type stageExitJSON struct {
	TaskID     string   `json:"task_id"`
	Result     string   `json:"result"`
	Path       string   `json:"path,omitempty"`
	SizeBytes  int      `json:"size_bytes,omitempty"`
	Truncated  bool     `json:"truncated"`
	ArchivedTo string   `json:"archived_to,omitempty"`
	Warnings   []string `json:"warnings,omitempty"`
}

func stageExitResult(outcome *runner.Outcome) stageExitJSON {
	result := stageExitJSON{
		TaskID:   outcome.Event.TaskID,
		Result:   string(outcome.Result),
		Warnings: outcome.Warnings,
	}
	if w := outcome.Written; w != nil {
		result.Path, result.SizeBytes, result.Truncated = w.Path, w.SizeBytes, w.Truncated
	}
	if a := outcome.Archived; a != nil && a.Archived {
		result.ArchivedTo = a.Path
	}
	return result
}
