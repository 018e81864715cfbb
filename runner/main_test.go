package runner_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stagehook/stagehook/plugins"
	"github.com/stagehook/stagehook/runner"
	"github.com/stagehook/stagehook/runner/config"
	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
)

// The test binary also serves the built-in plugins, and those of these tests, as
// the stagehook binary does.
func TestMain(m *testing.M) {
	if len(os.Args) >= 3 && os.Args[1] == "plugin" {
		spec := plugins.Find(os.Args[2])
		switch os.Args[2] {
		case "scribe":
			spec = scribe()
		case "says":
			spec = says(os.Args[3])
		}
		os.Exit(sdk.Serve(spec))
	}
	os.Exit(m.Run())
}

// scribe is a writer, validator and revalidator that keeps no file: it serves
// several kinds from one process.
func scribe() *sdk.Spec {
	s := &scribePlugin{}
	return &sdk.Spec{Name: "scribe", Version: "1.0.0", Writer: s, Validator: s, Revalidator: s}
}

type scribePlugin struct{ answer *sdk.Answer }

func (s *scribePlugin) Write(_ context.Context, req *sdk.WriteRequest) (*sdk.WriteResult, error) {
	s.answer = &req.Answer
	return &sdk.WriteResult{Path: "memory", SizeBytes: len(req.Answer.Body)}, nil
}

func (s *scribePlugin) Validate(_ context.Context, req *sdk.ValidateRequest) (*sdk.ValidateResult, error) {
	if s.answer == nil {
		return &sdk.ValidateResult{Verdict: hook.VerdictMissing, Path: "memory"}, nil
	}
	return &sdk.ValidateResult{Verdict: hook.VerdictValid, Path: "memory", Snapshot: &sdk.Snapshot{
		TaskID:          req.Task.ID,
		Command:         s.answer.Command,
		RecommendedNext: s.answer.RecommendedNext,
		Body:            s.answer.Body,
	}}, nil
}

func (s *scribePlugin) Revalidate(context.Context, *sdk.RevalidateRequest) (*sdk.RevalidateResult, error) {
	return &sdk.RevalidateResult{CheckedAt: time.Now().UTC()}, nil
}

// newRunner returns a runner with the configuration text on top of the defaults,
// and the root of a workspace.
func newRunner(t testing.TB, text string) (*runner.Runner, string) {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "datarim"), 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(config.Sources{Root: root, File: file, SystemFile: filepath.Join(root, "absent")})
	if err != nil {
		t.Fatal(err)
	}
	r, err := runner.New(cfg, runner.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r, root
}

// answer is what a stage ended with.
func answer(body string) *hook.Answer {
	return &hook.Answer{
		Stage:           "plan",
		Command:         "/dr-plan",
		CapturedAt:      time.Date(2026, 5, 21, 13, 45, 0, 0, time.UTC),
		CapturedBy:      "agent",
		RecommendedNext: "/dr-do",
		Options:         []string{"/dr-do TUNE-0254 | build"},
		Body:            []byte(body),
	}
}

// fire fires an event for one task and fails the test on an error.
func fire(t testing.TB, r *runner.Runner, event runner.Event) *runner.Outcome {
	t.Helper()
	if event.TaskID == "" {
		event.TaskID = "TUNE-0254"
	}
	outcome, err := r.Fire(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	return outcome
}
