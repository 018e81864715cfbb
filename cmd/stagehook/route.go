package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stagehook/stagehook/runner"
	"github.com/stagehook/stagehook/sdk/hook"
)

func newRoute(s *session) *cobra.Command {
	var task string
	var asJSON bool
	cmd := &cobra.Command{
		Use:         "route",
		Short:       "Print the route that the task's records allow",
		Args:        noArguments,
		Annotations: required("task"),
		RunE:        func(cmd *cobra.Command, _ []string) error { return s.route(cmd, task, asJSON) },
	}
	cmd.Flags().StringVar(&task, "task", "", "task ID (required)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return cmd
}

func (s *session) route(cmd *cobra.Command, task string, asJSON bool) error {
	event := runner.Event{Name: runner.Route, TaskID: task}
	ws, err := s.openFor(&event)
	if err != nil {
		return err
	}
	outcome, err := s.fire(cmd.Context(), ws.runner, event)
	if _, isResult := isResult(err); err != nil && !isResult {
		return err
	}
	switch {
	case asJSON:
		if printErr := s.printJSON(routeDocument(outcome)); printErr != nil {
			return printErr
		}
	case err == nil:
		err = s.printRoute(outcome)
	}
	return err
}

// printRoute prints the route's command. A revalidator that names none has
// confirmed what the snapshot recommends.
func (s *session) printRoute(outcome *runner.Outcome) error {
	command := ""
	if route := outcome.Route(); route != nil {
		command = route.Command
	} else {
		command = outcome.Validated.Snapshot.RecommendedNext
	}
	_, err := fmt.Fprintln(s.out, command)
	return err
}

func routeDocument(outcome *runner.Outcome) *hook.RouteDocument {
	result := outcome.Revalidated
	if outcome.Result == runner.Refused {
		result = &hook.RevalidateResult{Refusals: outcome.Refusals}
	}
	return result.Document(cmp.Or(outcome.RouteTaskID, outcome.Event.TaskID))
}
