package sdktest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/snapshot"
	"github.com/stagehook/stagehook/sdk/workspace"
)

// stub serves every kind: it keeps the request and returns what it holds.
type stub struct {
	Depth int `json:"depth"`

	request, result any
	err             error
}

func (s *stub) spec() *hook.Spec {
	return &hook.Spec{
		Name: "stub", Version: "1.0.0", Settings: s,
		Writer: s, Validator: s, Revalidator: s, Renderer: s, Archiver: s, Observer: s,
	}
}

func reply[Res any](s *stub, req any) (*Res, error) {
	s.request = req
	res, _ := s.result.(*Res)
	return res, s.err
}

func (s *stub) Write(_ context.Context, req *hook.WriteRequest) (*hook.WriteResult, error) {
	return reply[hook.WriteResult](s, req)
}

func (s *stub) Validate(_ context.Context, req *hook.ValidateRequest) (*hook.ValidateResult, error) {
	return reply[hook.ValidateResult](s, req)
}

func (s *stub) Revalidate(ctx context.Context, req *hook.RevalidateRequest) (*hook.RevalidateResult, error) {
	sdk.Logger(ctx).Info("was asked")
	return reply[hook.RevalidateResult](s, req)
}

func (s *stub) Render(_ context.Context, req *hook.RenderRequest) (*hook.RenderResult, error) {
	return reply[hook.RenderResult](s, req)
}

func (s *stub) Archive(_ context.Context, req *hook.ArchiveRequest) (*hook.ArchiveResult, error) {
	return reply[hook.ArchiveResult](s, req)
}

func (s *stub) Observe(_ context.Context, req *hook.ObserveRequest) error {
	_, err := reply[struct{}](s, req)
	return err
}

// recorder is a test that keeps what is reported to it.
type recorder struct {
	testing.TB
	reports []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.reports = append(r.reports, fmt.Sprintf(format, args...))
}

// fatal ends the function that is tried.
type fatal struct{}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	panic(fatal{})
}

// try returns what a function reports.
func try(t *testing.T, f func(testing.TB)) []string {
	t.Helper()
	r := &recorder{TB: t}
	func() {
		defer func() {
			if cause := recover(); cause != nil && cause != (fatal{}) {
				panic(cause)
			}
		}()
		f(r)
	}()
	return r.reports
}

var fresh = &hook.RevalidateResult{CheckedAt: time.Date(2026, 5, 21, 14, 0, 0, 0, time.UTC), Lineage: []string{"DR-1@1"}}

// Every kind's case brings the answer, with a request that a host could have sent.
func TestKinds(t *testing.T) {
	root := t.TempDir()
	task := hook.Task{Root: root, ID: TaskID, Rules: hook.Rules{Marker: snapshot.Marker}}
	for name, test := range map[string]struct {
		result, request any
		call            func(*stub) any
	}{
		"writer": {&hook.WriteResult{Path: "x", SizeBytes: 3}, &hook.WriteRequest{Task: task, Answer: Answer(), LockTimeout: lockTimeout}, func(s *stub) any {
			return Writer(t, s.spec(), WriterCase{Root: root, Want: s.result.(*hook.WriteResult)})
		}},
		"validator": {&hook.ValidateResult{Verdict: hook.VerdictValid, Path: "x", Snapshot: Snapshot()}, &hook.ValidateRequest{Task: task, Level: snapshot.LevelStrict}, func(s *stub) any {
			return Validator(t, s.spec(), ValidatorCase{Root: root, Want: s.result.(*hook.ValidateResult)})
		}},
		"revalidator": {fresh, &hook.RevalidateRequest{Task: task}, func(s *stub) any {
			return Revalidator(t, s.spec(), RevalidatorCase{Root: root, Want: s.result.(*hook.RevalidateResult)})
		}},
		"renderer": {&hook.RenderResult{Command: "/dr-do", Purpose: "go", Prompt: []byte("a\xff")}, &hook.RenderRequest{Task: task, Snapshot: Snapshot()}, func(s *stub) any {
			return Renderer(t, s.spec(), RendererCase{Root: root, Want: s.result.(*hook.RenderResult)})
		}},
		"archiver": {&hook.ArchiveResult{Archived: true, Path: "x"}, &hook.ArchiveRequest{Task: task, Event: "archive", LockTimeout: lockTimeout}, func(s *stub) any {
			return Archiver(t, s.spec(), ArchiverCase{Root: root, Want: s.result.(*hook.ArchiveResult)})
		}},
		"observer": {nil, &hook.ObserveRequest{Task: task, Event: "stage-exit", Result: "done", Started: fresh.CheckedAt}, func(s *stub) any {
			Observer(t, s.spec(), ObserverCase{Root: root, Request: hook.ObserveRequest{Started: fresh.CheckedAt}})
			return nil
		}},
	} {
		s := &stub{result: test.result}
		if got := test.call(s); !reflect.DeepEqual(got, test.result) {
			t.Errorf("%s: the answer is %+v; want %+v", name, got, test.result)
		}
		if !reflect.DeepEqual(s.request, test.request) {
			t.Errorf("%s: the request is %+v; want %+v", name, s.request, test.request)
		}
	}
}

// What the case says goes before the defaults.
func TestCaseKeepsItsValues(t *testing.T) {
	s := &stub{result: &hook.WriteResult{Path: "x"}}
	answer := Answer()
	answer.Stage = "qa"
	Writer(t, s.spec(), WriterCase{
		Settings: map[string]any{"depth": 7},
		Request: hook.WriteRequest{
			Task: hook.Task{ID: "OTHER-0001", Rules: hook.Rules{Marker: "<!-- cut -->"}}, Answer: answer, LockTimeout: time.Second,
		},
	})
	got := s.request.(*hook.WriteRequest)
	if got.Task.ID != "OTHER-0001" || got.Task.Rules.Marker != "<!-- cut -->" || got.Answer.Stage != "qa" || got.LockTimeout != time.Second || s.Depth != 7 {
		t.Errorf("the request is %+v, the setting %d", got, s.Depth)
	}
}

func TestCaseReportsWhatIsNotAsWanted(t *testing.T) {
	refused := &hook.RevalidateResult{Refusals: []hook.Refusal{{Code: "frozen"}}}
	revalidator := func(s *stub, c RevalidatorCase) func(testing.TB) {
		return func(t testing.TB) { Revalidator(t, s.spec(), c) }
	}
	for name, test := range map[string]struct {
		try  func(testing.TB)
		want string // a part of the only report; empty for none
	}{
		"fresh at some time":    {revalidator(&stub{result: fresh}, RevalidatorCase{Want: &hook.RevalidateResult{Lineage: fresh.Lineage}}), ""},
		"fresh at another time": {revalidator(&stub{result: fresh}, RevalidatorCase{Want: &hook.RevalidateResult{Lineage: fresh.Lineage, CheckedAt: capturedAt}}), `CheckedAt is "2026-05-21T14:00:00Z"; want "2026-05-21T13:45:00Z"`},
		"empty lists":           {revalidator(&stub{result: refused}, RevalidatorCase{Want: &hook.RevalidateResult{Refusals: refused.Refusals, Lineage: []string{}}}), ""},
		"refused, not fresh":    {revalidator(&stub{result: refused}, RevalidatorCase{Want: &hook.RevalidateResult{}}), `Refusals is [{"code":"frozen","path":"","detail":""}]; want null`},
		"fresh, not refused":    {revalidator(&stub{result: fresh}, RevalidatorCase{Want: &hook.RevalidateResult{Lineage: fresh.Lineage, Refusals: refused.Refusals}}), "Refusals is null; want ["},
		"neither":               {revalidator(&stub{result: &hook.RevalidateResult{}}, RevalidatorCase{}), "its result is neither fresh, since CheckedAt is not set, nor has it Refusals"},
		"a failure":             {revalidator(&stub{err: hook.Failf(hook.FailureIO, "no disk")}, RevalidatorCase{}), `it failed as "io": no disk`},
		"another failure":       {revalidator(&stub{err: errors.New("no disk")}, RevalidatorCase{WantFailure: hook.FailureIO}), `it failed as "internal", want "io": no disk`},
		"the wanted failure":    {revalidator(&stub{err: hook.Failf(hook.FailureIO, "no disk")}, RevalidatorCase{WantFailure: hook.FailureIO, Want: fresh}), ""},
		"no failure":            {revalidator(&stub{result: fresh}, RevalidatorCase{WantFailure: hook.FailureIO}), `it did not fail; want the failure "io"`},
		"wrong settings":        {revalidator(&stub{result: fresh}, RevalidatorCase{Settings: map[string]any{"depht": 1}}), `it failed as "argument": settings: unknown key "depht"`},
		"refused settings":      {revalidator(&stub{result: fresh}, RevalidatorCase{Settings: map[string]any{"depht": 1}, WantFailure: hook.FailureArgument}), ""},
		"impossible settings":   {revalidator(&stub{}, RevalidatorCase{Settings: func() {}}), "the settings: json: unsupported type"},
		"an invalid task": {revalidator(&stub{result: fresh}, RevalidatorCase{
			Request: hook.RevalidateRequest{Task: hook.Task{ID: "../x"}}, WantFailure: hook.FailureArgument,
		}), ""},
		"a file that is missing": {revalidator(&stub{result: fresh}, RevalidatorCase{WantFiles: map[string]string{"a/b": ""}}), "the file a/b: open "},
		"a file that is another": {revalidator(&stub{result: fresh}, RevalidatorCase{
			Files: map[string]string{"a/b": "x"}, WantFiles: map[string]string{"a/b": "y"},
		}), "the file a/b holds\nx\nwant\ny"},
		"a field in a field": {func(t testing.TB) {
			other := Snapshot()
			other.Body = []byte("other")
			s := &stub{result: &hook.ValidateResult{Verdict: hook.VerdictValid, Snapshot: Snapshot()}}
			Validator(t, s.spec(), ValidatorCase{Want: &hook.ValidateResult{Verdict: hook.VerdictValid, Snapshot: other}})
		}, `Snapshot.Body is "The plan has three steps.\n"; want "other"`},
		"an invalid spec": {func(t testing.TB) { Revalidator(t, &hook.Spec{}, RevalidatorCase{}) }, `the spec: name ""`},
		"another kind": {func(t testing.TB) {
			spec := (&stub{}).spec()
			spec.Renderer = nil
			Renderer(t, spec, RendererCase{})
		}, "the spec has no renderer"},
	} {
		t.Run(name, func(t *testing.T) {
			reports := try(t, test.try)
			if test.want == "" && reports != nil || test.want != "" && (len(reports) != 1 || !strings.Contains(reports[0], test.want)) {
				t.Errorf("reported were %q; want %q", reports, test.want)
			}
		})
	}
}

// The files are there when the plugin is asked, and a snapshot's is one that reads
// back.
func TestSnapshotFile(t *testing.T) {
	root := t.TempDir()
	s := &stub{result: &hook.ArchiveResult{}}
	Archiver(t, s.spec(), ArchiverCase{Root: root, Files: map[string]string{snapshot.Path(TaskID): SnapshotFile(Snapshot())}})
	ws, err := workspace.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	text, info, err := ws.Read(snapshot.Path(TaskID), snapshot.MaxBytes)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the file: %v, %v", info, err)
	}
	grammar, err := (&hook.Task{}).Grammar()
	if err != nil {
		t.Fatal(err)
	}
	got, problem := snapshot.Parse(text, snapshot.Expect{TaskID: TaskID, Grammar: grammar, Level: snapshot.LevelStrict, Marker: snapshot.Marker})
	if problem != nil || !reflect.DeepEqual(got, Snapshot()) {
		t.Errorf("read back is %+v, %+v", got, problem)
	}
}

func TestConformReports(t *testing.T) {
	reports := try(t, func(t testing.TB) { Conform(t, map[string]any{"depth": 1}, "true") })
	if len(reports) != 3 || !slices.ContainsFunc(reports, func(r string) bool { return strings.HasPrefix(r, "handshake: it ended before its handshake") }) {
		t.Errorf("reported were %q", reports)
	}
	if reports := try(t, func(t testing.TB) { Conform(t, func() {}, "true") }); len(reports) != 1 {
		t.Errorf("impossible settings: %q", reports)
	}
}
