package runner_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stagehook/stagehook/runner"
	"github.com/stagehook/stagehook/runner/process"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

const withProjection = "Done.\n<!-- research-projection: task=TUNE-0254 -->\n"

func TestEventsFromStageExitToArchive(t *testing.T) {
	r, root := newRunner(t, "")
	written := fire(t, r, runner.Event{Name: runner.StageExit, Root: root, Answer: answer("All done.\n")})
	if written.Result != runner.Done || written.Written == nil || written.Written.Path != snapshot.Path("TUNE-0254") {
		t.Fatalf("stage-exit: %+v", written)
	}
	resumed := fire(t, r, runner.Event{Name: runner.Resume, Root: root})
	if resumed.Result != runner.Done || !strings.HasPrefix(string(resumed.Rendered.Prompt), "/dr-do TUNE-0254\nbuild\n") {
		t.Fatalf("resume: %+v", resumed)
	}
	archived := fire(t, r, runner.Event{Name: runner.Archive, Root: root})
	if archived.Result != runner.Done || !archived.Archived.Archived {
		t.Fatalf("archive: %+v", archived)
	}
	if again := fire(t, r, runner.Event{Name: runner.Archive, Root: root}); again.Result != runner.Nothing {
		t.Errorf("archive of nothing: %s", again.Result)
	}
}

// steps says of each step which plugin it was and whether a process served it.
func steps(outcome *runner.Outcome) []string {
	var list []string
	for _, step := range outcome.Steps {
		text := string(step.Kind)
		if step.PID == 0 {
			text += ": " + step.Skipped
		}
		list = append(list, text)
	}
	return list
}

func TestStepsThatDoNotApplyStartNoProcess(t *testing.T) {
	r, root := newRunner(t, "")
	const (
		noSnapshot  = ": there is no snapshot"
		noAuthority = ": there are no records and no projection"
	)
	check := func(outcome *runner.Outcome, want ...string) {
		t.Helper()
		if got := steps(outcome); !slices.Equal(got, want) {
			t.Errorf("%s: got %q; want %q", outcome.Event.Name, got, want)
		}
	}
	check(fire(t, r, runner.Event{Name: runner.Resume, Root: root}), "validator"+noSnapshot, "revalidator"+noSnapshot, "renderer"+noSnapshot)
	check(fire(t, r, runner.Event{Name: runner.Validate, Root: root}), "validator"+noSnapshot)
	check(fire(t, r, runner.Event{Name: runner.Archive, Root: root}), "archiver"+noSnapshot)
	check(fire(t, r, runner.Event{Name: runner.StageExit, Root: root, Answer: answer("x")}), "writer", "validator", "archiver: it is for other stages")
	check(fire(t, r, runner.Event{Name: runner.Resume, Root: root}), "validator", "revalidator"+noAuthority, "renderer")

	fire(t, r, runner.Event{Name: runner.StageExit, Root: root, Answer: answer(withProjection)})
	check(fire(t, r, runner.Event{Name: runner.Resume, Root: root}), "validator", "revalidator", "renderer: the route was refused")
}

func TestConditionsCanBeDroppedForAnotherStore(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r, root := newRunner(t, `
plugins: {scribe: {command: ["`+self+`", plugin, scribe]}}
events:
  stage-exit: [{kind: writer, plugin: scribe}, {kind: validator, plugin: scribe}]
  resume: [{kind: validator, plugin: scribe}, {kind: revalidator, plugin: scribe}, {kind: renderer, plugin: replay-renderer}]
`)
	if outcome := fire(t, r, runner.Event{Name: runner.Resume, Root: root}); outcome.Result != runner.Missing || outcome.Steps[0].PID == 0 {
		t.Fatalf("before: %+v", outcome)
	}
	stored := fire(t, r, runner.Event{Name: runner.StageExit, Root: root, Answer: answer(withProjection)})
	resumed := fire(t, r, runner.Event{Name: runner.Resume, Root: root})
	if resumed.Result != runner.Done || !strings.HasSuffix(string(resumed.Rendered.Prompt), withProjection) {
		t.Fatalf("resume: %+v", resumed)
	}
	// One process serves three kinds, and stays warm from event to event.
	pids := map[int]bool{}
	for _, step := range slices.Concat(stored.Steps, resumed.Steps[:2]) {
		pids[step.PID] = true
	}
	if len(pids) != 1 {
		t.Errorf("the scribe ran in the processes %v", pids)
	}
	if entries, err := os.ReadDir(filepath.Join(root, "datarim")); err != nil || len(entries) > 0 {
		t.Errorf("the workspace was written to: %v, %v", entries, err)
	}
}

func TestAuthorityIsNeverSkipped(t *testing.T) {
	bare := `
events:
  resume: [{kind: validator, plugin: snapshot-validator}, {kind: renderer, plugin: replay-renderer}]
`
	// A link is a doubt, and doubts count as records.
	for name, body := range map[string]string{"records": "x", "projection": withProjection, "link": "x"} {
		t.Run(name, func(t *testing.T) {
			r, root := newRunner(t, bare)
			fire(t, r, runner.Event{Name: runner.StageExit, Root: root, Answer: answer(body)})
			if name == "records" {
				if err := os.MkdirAll(filepath.Join(root, "datarim", "briefs", "TUNE-0254.brief.yaml"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if name == "link" {
				if err := os.Symlink("elsewhere", filepath.Join(root, "datarim", "evidence")); err != nil {
					t.Fatal(err)
				}
			}
			outcome := fire(t, r, runner.Event{Name: runner.Resume, Root: root})
			if outcome.Result != runner.Refused || outcome.Rendered != nil || outcome.Refusals[0].Code != "revalidator-missing" {
				t.Errorf("got %+v", outcome)
			}
		})
	}
}

func TestMalformedEndsTheEvent(t *testing.T) {
	r, root := newRunner(t, "")
	path := filepath.Join(root, "datarim", "snapshots", "TUNE-0254.snapshot.md")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("no snapshot"), 0o600); err != nil {
		t.Fatal(err)
	}
	outcome := fire(t, r, runner.Event{Name: runner.Resume, Root: root})
	if outcome.Result != runner.Malformed || outcome.Problem.Code != snapshot.CodeNoOpeningFence || outcome.Rendered != nil {
		t.Errorf("resume: %+v", outcome)
	}
	route := fire(t, r, runner.Event{Name: runner.Route, Root: root})
	if route.Result != runner.Refused || route.Refusals[0].Code != "snapshot-malformed" {
		t.Errorf("route: %+v", route)
	}
}

func TestRefusedArguments(t *testing.T) {
	r, root := newRunner(t, "lock_timeout: soon\n")
	good := runner.Event{Name: runner.StageExit, Root: root, TaskID: "TUNE-0254", Answer: answer("x")}
	for field, change := range map[string]func(*runner.Event){
		"event":        func(e *runner.Event) { e.Name = "stage_exit" },
		"level":        func(e *runner.Event) { e.Level = "lax" },
		"task_id":      func(e *runner.Event) { e.TaskID = "../x" },
		"captured_at":  func(e *runner.Event) { e.Answer = at(time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC)) },
		"root":         func(e *runner.Event) { e.Root = "." },
		"answer":       func(e *runner.Event) { e.Answer = nil },
		"stage":        func(e *runner.Event) { e.Answer = &hook.Answer{} },
		"lock_timeout": func(*runner.Event) {},
		"session_id":   func(e *runner.Event) { e.SessionID = "SESSION-20260521-134500" },
	} {
		event := good
		change(&event)
		outcome, err := r.Fire(t.Context(), event)
		var refused *identity.ValueError
		if !errors.As(err, &refused) || refused.Field != field || outcome.Result != runner.Failed {
			t.Errorf("%s: got %s, %v", field, outcome.Result, err)
		}
	}
}

// at is an answer captured at the time.
func at(captured time.Time) *hook.Answer {
	a := answer("x")
	a.CapturedAt = captured
	return a
}

func TestAnswerWithoutATimeIsOfNow(t *testing.T) {
	r, root := newRunner(t, "")
	before := time.Now().UTC().Truncate(time.Second)
	fire(t, r, runner.Event{Name: runner.StageExit, Root: root, Answer: at(time.Time{})})
	captured := fire(t, r, runner.Event{Name: runner.Validate, Root: root}).Validated.Snapshot.CapturedAt
	if captured.Before(before) || captured.After(time.Now()) {
		t.Errorf("captured at %v; want now, %v", captured, before)
	}
}

func TestAnswerThatNobodyStoresIsAWarning(t *testing.T) {
	for _, steps := range []string{"[]", "[{kind: validator, plugin: snapshot-validator}]"} {
		r, root := newRunner(t, "events: {stage-exit: "+steps+"}\n")
		outcome := fire(t, r, runner.Event{Name: runner.StageExit, Root: root, Answer: answer("x")})
		if outcome.Result != runner.Nothing || len(outcome.Warnings) != 1 {
			t.Errorf("%s: got %s, warnings %q", steps, outcome.Result, outcome.Warnings)
		}
	}
}

func TestManyTasksAtOnce(t *testing.T) {
	r, root := newRunner(t, "")
	var firing sync.WaitGroup
	for _, id := range []string{"A1-0001", "A1-0002", "A1-0003", "A1-0004", "A1-0005", "A1-0006", "A1-0007", "A1-0008"} {
		firing.Go(func() {
			for range 3 {
				body := "for " + id
				if _, err := r.Fire(t.Context(), runner.Event{Name: runner.StageExit, Root: root, TaskID: id, Answer: answer(body)}); err != nil {
					t.Errorf("%s: %v", id, err)
					return
				}
				outcome, err := r.Fire(t.Context(), runner.Event{Name: runner.Resume, Root: root, TaskID: id})
				if err != nil || !strings.HasSuffix(string(outcome.Rendered.Prompt), body) {
					t.Errorf("%s: %v", id, err)
				}
			}
		})
	}
	firing.Wait()
}

// What a stage exit has stored must be there for those who come after.
func TestStageExitThatLeavesNoValidSnapshot(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r, root := newRunner(t, `
plugins: {scribe: {command: ["`+self+`", plugin, scribe]}}
events: {stage-exit: [{kind: writer, plugin: scribe}, {kind: validator, plugin: snapshot-validator}]}
`)
	event := runner.Event{Name: runner.StageExit, Root: root, TaskID: "TUNE-0254", Answer: answer("x")}
	wantFailure := func(message string) {
		t.Helper()
		outcome, err := r.Fire(t.Context(), event)
		var failure *hook.Failure
		if !errors.As(err, &failure) || failure.Code != hook.FailureIO || !strings.HasPrefix(failure.Message, message) || outcome.Result != runner.Failed {
			t.Errorf("%s, %v; want %q", outcome.Result, err, message)
		}
	}
	wantFailure("the snapshot was stored, but is gone: ")
	path := filepath.Join(root, filepath.FromSlash(snapshot.Path("TUNE-0254")))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("no snapshot"), 0o600); err != nil {
		t.Fatal(err)
	}
	wantFailure("the snapshot was written, but it is malformed: no-opening-fence: ")
}

// The longest durations that a configuration can hold are as good as none.
func TestEventWithoutLimits(t *testing.T) {
	const longest = "2562047h47m16.854775807s"
	r, root := newRunner(t, "lock_timeout: 99999999999999999999\nstart_timeout: "+longest+"\ncall_timeout: "+longest+"\n")
	fire(t, r, runner.Event{Name: runner.StageExit, Root: root, Answer: answer("x")})
	if outcome := fire(t, r, runner.Event{Name: runner.Archive, Root: root}); outcome.Result != runner.Done {
		t.Errorf("archive: %+v", outcome)
	}
}

// What one of several archivers has moved stays the outcome, though the others
// find nothing any more.
func TestSeveralArchivers(t *testing.T) {
	r, root := newRunner(t, `
plugins: {second: {builtin: archiver}, third: {builtin: archiver}}
events:
  stage-exit: [{kind: writer, plugin: snapshot-writer}, {kind: archiver, plugin: archiver}, {kind: archiver, plugin: second}]
  archive: [{kind: archiver, plugin: archiver}, {kind: archiver, plugin: second}, {kind: archiver, plugin: third}]
`)
	stored := fire(t, r, runner.Event{Name: runner.StageExit, Root: root, Answer: answer("x")})
	again := fire(t, r, runner.Event{Name: runner.Archive, Root: root})
	if stored.Archived == nil || !stored.Archived.Archived || stored.Archived.Path == "" {
		t.Errorf("stage-exit: %+v", stored.Archived)
	}
	if again.Result != runner.Nothing {
		t.Errorf("archive of nothing: %s", again.Result)
	}
	snapshotPath := filepath.Join(root, filepath.FromSlash(snapshot.Path("TUNE-0254")))
	if err := os.Rename(filepath.Join(root, filepath.FromSlash(stored.Archived.Path)), snapshotPath); err != nil {
		t.Fatal(err)
	}
	moved := fire(t, r, runner.Event{Name: runner.Archive, Root: root})
	if moved.Result != runner.Done || !moved.Archived.Archived || moved.Archived.Path != stored.Archived.Path {
		t.Errorf("archive: %s, %+v", moved.Result, moved.Archived)
	}
}

// A caller may want to know of a refused value before it has a root.
func TestCheckNeedsNoRoot(t *testing.T) {
	r, _ := newRunner(t, "")
	if err := r.Check(runner.Event{Name: runner.StageExit, TaskID: "TUNE-0254", Answer: answer("x")}); err != nil {
		t.Errorf("without a root: %v", err)
	}
	for field, event := range map[string]runner.Event{
		"task_id": {Name: runner.Resume, TaskID: "../x"},
		"stage":   {Name: runner.StageExit, TaskID: "TUNE-0254", Answer: &hook.Answer{}},
		"level":   {Name: runner.Validate, TaskID: "TUNE-0254", Level: "lax"},
	} {
		var refused *identity.ValueError
		if err := r.Check(event); !errors.As(err, &refused) || refused.Field != field {
			t.Errorf("%s: got %v", field, err)
		}
	}
}

func TestInterruptedEvent(t *testing.T) {
	r, root := newRunner(t, "")
	lock := filepath.Join(root, "datarim", "snapshots", ".lock.TUNE-0254")
	if err := os.MkdirAll(lock, 0o700); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := r.Fire(ctx, runner.Event{Name: runner.StageExit, Root: root, TaskID: "TUNE-0254", Answer: answer("x")})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v; want the context's error", err)
	}
	r.Close()
	if _, err := r.Fire(t.Context(), runner.Event{Name: runner.StageExit, Root: root, TaskID: "TUNE-0254", Answer: answer("x")}); !errors.Is(err, process.ErrClosed) {
		t.Errorf("after Close: got %v", err)
	}
}

// A session is resumed and validated, and nothing else.
func TestEventsOfASession(t *testing.T) {
	r, root := newRunner(t, "")
	for _, name := range []runner.EventName{runner.StageExit, runner.Resume, runner.Archive, runner.Validate, runner.Route} {
		err := r.Check(runner.Event{Name: name, Root: root, SessionID: "SESSION-20260521-134500", Answer: answer("x")})
		if (err == nil) != (name == runner.Resume || name == runner.Validate) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A link is a doubt, which is for the validator to judge.
	if err := os.MkdirAll(filepath.Join(root, "datarim"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("elsewhere", filepath.Join(root, "datarim", "sessions")); err != nil {
		t.Fatal(err)
	}
	outcome, err := r.Fire(t.Context(), runner.Event{Name: runner.Resume, Root: root, SessionID: "SESSION-20260521-134500"})
	if err != nil || outcome.Result != runner.Malformed || outcome.Problem.Code != "symlink" {
		t.Errorf("got %s, %+v, %v", outcome.Result, outcome.Problem, err)
	}
}
