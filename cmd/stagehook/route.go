package main

import (
	"fmt"
	"time"

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
	case asJSON && err != nil:
		if printErr := s.printJSON(refusedRoute(outcome)); printErr != nil {
			return printErr
		}
	case asJSON:
		err = s.printJSON(freshRoute(outcome))
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

// routeSchema names the form of the object, for readers in other programs.
const routeSchema = "stagehook.route/1"

type routeJSON struct {
	Schema         string         `json:"schema"`
	TaskID         string         `json:"task_id"`
	Verdict        string         `json:"verdict"`
	Route          *routeStepJSON `json:"route,omitempty"`
	Decision       *recordJSON    `json:"decision,omitempty"`
	Lineage        []string       `json:"lineage,omitempty"`
	Contract       *contractJSON  `json:"contract,omitempty"`
	ParentContract *contractJSON  `json:"parent_contract,omitempty"`
	CheckedAt      string         `json:"checked_at,omitempty"`
	Refusals       []refusalJSON  `json:"refusals,omitempty"`
}

type routeStepJSON struct {
	Command string    `json:"command"`
	Token   tokenJSON `json:"token"`
}

type tokenJSON struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

type recordJSON struct {
	ID       string `json:"id"`
	Revision int    `json:"revision"`
	Digest   string `json:"digest"`
}

type contractJSON struct {
	TaskID   string   `json:"task_id"`
	Revision int      `json:"revision,omitempty"`
	Digest   string   `json:"digest"`
	Scope    []string `json:"scope,omitempty"`
}

type refusalJSON struct {
	Code   string `json:"code"`
	Path   string `json:"path"`
	Detail string `json:"detail"`
}

func freshRoute(outcome *runner.Outcome) *routeJSON {
	r := outcome.Revalidated
	result := &routeJSON{
		Schema:         routeSchema,
		TaskID:         outcome.Event.TaskID,
		Verdict:        "fresh",
		Lineage:        r.Lineage,
		Contract:       contract(r.Contract),
		ParentContract: contract(r.ParentContract),
		CheckedAt:      r.CheckedAt.UTC().Format(time.RFC3339),
	}
	if r.Route != nil {
		result.Route = &routeStepJSON{Command: r.Route.Command, Token: tokenJSON(r.Route.Token)}
	}
	if r.Decision != nil {
		decision := recordJSON(*r.Decision)
		result.Decision = &decision
	}
	return result
}

func contract(ref *hook.ContractRef) *contractJSON {
	if ref == nil {
		return nil
	}
	c := contractJSON(*ref)
	return &c
}

func refusedRoute(outcome *runner.Outcome) *routeJSON {
	result := &routeJSON{Schema: routeSchema, TaskID: outcome.Event.TaskID, Verdict: "refused"}
	for _, refusal := range outcome.Refusals {
		result.Refusals = append(result.Refusals, refusalJSON(refusal))
	}
	return result
}
