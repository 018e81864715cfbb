package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// testPlugin is a plugin that behaves as its first argument says.
func testPlugin(args []string) int {
	t := &testBehaviour{mode: args[0], args: args[1:]}
	spec := &sdk.Spec{Name: "testplugin", Version: "1.2.3", Settings: &t.settings}
	switch t.mode {
	case "exit":
		fmt.Fprintln(os.Stderr, "no licence found")
		return 7
	case "garbage":
		fmt.Println("hello from a plugin")
		return 0
	case "silent":
		select {}
	case "observer":
		spec.Observer = t
	case "stranger", "session":
		spec.Validator = t
	default:
		spec.Revalidator = t
	}
	return sdk.Serve(spec)
}

type testBehaviour struct {
	mode     string
	args     []string
	settings struct {
		Command string `json:"command"`
	}
}

// Revalidate answers as the mode says.
func (t *testBehaviour) Revalidate(context.Context, *sdk.RevalidateRequest) (*sdk.RevalidateResult, error) {
	fresh := &sdk.RevalidateResult{CheckedAt: time.Date(2026, 10, 2, 8, 0, 0, 0, time.UTC)}
	switch t.mode {
	case "confirm":
		return fresh, nil
	case "route":
		fresh.Route = &sdk.Route{Command: t.settings.Command, Token: sdk.Token{Type: "advance", Value: "advance:test"}}
		return fresh, nil
	case "crash":
		fmt.Fprintln(os.Stderr, "fatal error: out of cheese")
		os.Exit(3)
	case "broken":
		return nil, fmt.Errorf("the policy server is down")
	}
	return &sdk.RevalidateResult{Refusals: []sdk.Refusal{
		{Code: "policy", Detail: "not on a Friday"},
		{Code: "policy", Path: "datarim/policy.yaml", Detail: "nor without a review"},
	}}, nil
}

// Validate answers for another task than it was asked for, or with the session of
// the mode's argument.
func (t *testBehaviour) Validate(context.Context, *sdk.ValidateRequest) (*sdk.ValidateResult, error) {
	if t.mode == "session" {
		session := &sdk.Session{SessionID: t.args[0], RecommendedNext: t.settings.Command, NextAction: "x"}
		return &sdk.ValidateResult{Verdict: hook.VerdictValid, Path: "elsewhere", Session: session}, nil
	}
	return &sdk.ValidateResult{
		Verdict:  hook.VerdictValid,
		Path:     "elsewhere",
		Snapshot: &snapshot.Snapshot{TaskID: "OTHER-0001", Command: "/dr-do", RecommendedNext: "/dr-do"},
	}, nil
}

// Observe appends one line to the file that the mode's argument names.
func (t *testBehaviour) Observe(_ context.Context, req *sdk.ObserveRequest) error {
	file, err := os.OpenFile(t.args[0], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = fmt.Fprintf(file, "%s %s %s %q %d\n", req.Event, req.Task.ID, req.Result, req.Detail, len(req.Steps))
	return err
}
