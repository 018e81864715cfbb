package validator

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

const task = "TUNE-0254"

// example is a snapshot that holds one of everything.
func example() snapshot.Snapshot {
	return snapshot.Snapshot{
		TaskID: task, Stage: "plan", Command: "/dr-plan", CapturedBy: "agent", RecommendedNext: "/dr-do",
		CapturedAt: time.Date(2026, 5, 21, 13, 45, 0, 0, time.UTC),
		Options:    []string{"/dr-do TUNE-0254 | implementation", "/dr-status | escape hatch"},
		Body:       []byte("All done.\n"),
	}
}

// must fails the test on an error of the set-up.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// store puts a snapshot into a new workspace and returns the root and the
// snapshot's path.
func store(t testing.TB, s snapshot.Snapshot) (root, path string) {
	t.Helper()
	file, _, err := snapshot.Render(s, snapshot.RenderOptions{})
	must(t, err)
	root = t.TempDir()
	path = filepath.Join(root, filepath.FromSlash(snapshot.Path(task)))
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, file, 0o600))
	return root, path
}

// validate runs the plugin as a host would.
func validate(t testing.TB, root string, level snapshot.Level, rules ...sdk.Rules) *sdk.ValidateResult {
	t.Helper()
	req := &sdk.ValidateRequest{Task: sdk.Task{Root: root, ID: task}, Level: level}
	for _, r := range rules {
		req.Task.Rules = r
	}
	res, err := Spec().Validator.Validate(t.Context(), req)
	must(t, err)
	if res.Path != snapshot.Path(task) {
		t.Errorf("the path is %q", res.Path)
	}
	return res
}

var levels = []snapshot.Level{snapshot.LevelStrict, snapshot.LevelSchema}

func TestMissing(t *testing.T) {
	root, path := store(t, example())
	for _, gone := range []string{path, filepath.Dir(path), filepath.Dir(filepath.Dir(path))} {
		must(t, os.RemoveAll(gone))
		for _, level := range levels {
			if res := validate(t, root, level); res.Verdict != hook.VerdictMissing || res.Problem != nil || res.Snapshot != nil {
				t.Errorf("without %s: got %+v", gone, res)
			}
		}
	}
}

// What a header can hold is read back as it was, whatever YAML or a search for
// fences would make of it.
func TestValid(t *testing.T) {
	tests := map[string]func(*snapshot.Snapshot){
		"example":    func(*snapshot.Snapshot) {},
		"no options": func(s *snapshot.Snapshot) { s.Options = nil },
		"no body":    func(s *snapshot.Snapshot) { s.Body = nil },
		"fences":     func(s *snapshot.Snapshot) { s.Options = []string{"---", "--- ", "---x", "..."} },
		"fences in the body": func(s *snapshot.Snapshot) {
			s.Body = []byte("---\n--- \n---x\n...\n\n---\ntask_id: TUNE-0255\n---\n")
		},
		"other types": func(s *snapshot.Snapshot) { s.Options = []string{"no", "on", "10:00", "0123", "12e34", "~", "", "[a]"} },
		"quotes":      func(s *snapshot.Snapshot) { s.Options = []string{`"a\b"`, "fix: retry #12", "- x", "'", "&x *x !x <<"} },
		"Cyrillic, arrows": func(s *snapshot.Snapshot) {
			s.Options, s.Body = []string{"/dr-do | сделать → готово"}, []byte("Готово →\r\n")
		},
		"truncated":  func(s *snapshot.Snapshot) { s.Body = []byte(strings.Repeat("word ", 3000)) },
		"cut before": func(s *snapshot.Snapshot) { s.Body = []byte("x\n" + snapshot.MarkerRussian) },
		"arguments":  func(s *snapshot.Snapshot) { s.RecommendedNext = "/dr-do TUNE-0254 --deep: 'x' # y" },
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			s := example()
			change(&s)
			_, want, err := snapshot.Render(s, snapshot.RenderOptions{})
			must(t, err)
			root, _ := store(t, s)
			for _, level := range levels {
				res := validate(t, root, level)
				if res.Verdict != hook.VerdictValid || res.Problem != nil || res.Snapshot == nil {
					t.Fatalf("%s: got %+v, %+v", level, res, res.Problem)
				}
				got := res.Snapshot
				if !slices.Equal(got.Options, want.Options) || string(got.Body) != string(want.Body) ||
					got.TaskID != task || got.Stage != "plan" || got.Command != "/dr-plan" || got.CapturedBy != "agent" ||
					got.RecommendedNext != s.RecommendedNext || !got.CapturedAt.Equal(s.CapturedAt) ||
					got.SizeBytes != want.SizeBytes || got.Truncated != want.Truncated {
					t.Errorf("%s: got %+v; want %+v", level, got, want)
				}
			}
		})
	}
}

// The rules of the task decide, not those that are built in.
func TestRulesOfTheTask(t *testing.T) {
	s := example()
	s.Stage, s.Body = "ship", []byte("x\n<cut>\n")
	file, _, err := snapshot.Render(s, snapshot.RenderOptions{Marker: "<cut>"})
	must(t, err)
	root, path := store(t, example())
	must(t, os.WriteFile(path, file, 0o600))
	var rules sdk.Rules
	if res := validate(t, root, snapshot.LevelStrict, rules); res.Problem == nil || res.Problem.Code != snapshot.CodeBadValue {
		t.Errorf("an unknown stage: got %+v", res.Problem)
	}
	rules.Stages = []string{"ship"}
	if res := validate(t, root, snapshot.LevelStrict, rules); res.Problem == nil || res.Problem.Code != snapshot.CodeTruncatedMismatch {
		t.Errorf("an unknown marker: got %+v", res.Problem)
	}
	rules.Marker = "<cut>"
	if res := validate(t, root, snapshot.LevelStrict, rules); res.Verdict != hook.VerdictValid {
		t.Errorf("got %+v", res.Problem)
	}
}

func TestRootIsNone(t *testing.T) {
	_, err := Spec().Validator.Validate(t.Context(), &sdk.ValidateRequest{
		Task: sdk.Task{Root: filepath.Join(t.TempDir(), "absent"), ID: task},
	})
	if err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("got %v", err)
	}
}
