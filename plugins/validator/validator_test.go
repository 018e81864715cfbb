package validator

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// store puts a valid snapshot into a new workspace and returns the root and the
// snapshot's path.
func store(t *testing.T) (root, path string) {
	t.Helper()
	file, _, err := snapshot.Render(snapshot.Snapshot{
		TaskID: "TUNE-0254", Stage: "plan", Command: "/dr-plan", CapturedBy: "agent", RecommendedNext: "/dr-do",
		CapturedAt: time.Date(2026, 5, 21, 13, 45, 0, 0, time.UTC), Body: []byte("All done.\n"),
	}, snapshot.RenderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	root = t.TempDir()
	path = filepath.Join(root, filepath.FromSlash(snapshot.Path("TUNE-0254")))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	return root, path
}

func validate(t *testing.T, root string, level snapshot.Level) *sdk.ValidateResult {
	t.Helper()
	res, err := Spec().Validator.Validate(t.Context(), &sdk.ValidateRequest{
		Task:  sdk.Task{Root: root, ID: "TUNE-0254"},
		Level: level,
	})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestValidAndMissing(t *testing.T) {
	root, path := store(t)
	res := validate(t, root, snapshot.LevelStrict)
	if res.Verdict != hook.VerdictValid || res.Snapshot.RecommendedNext != "/dr-do" || string(res.Snapshot.Body) != "All done.\n" {
		t.Errorf("got %+v", res)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if res := validate(t, root, snapshot.LevelStrict); res.Verdict != hook.VerdictMissing || res.Path != snapshot.Path("TUNE-0254") {
		t.Errorf("got %+v", res)
	}
	if res := validate(t, t.TempDir(), snapshot.LevelStrict); res.Verdict != hook.VerdictMissing {
		t.Errorf("without any folder: got %+v", res)
	}
}

// must fails the test on an error of the set-up.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestProblems(t *testing.T) {
	tests := map[string]struct {
		change func(t *testing.T, path string)
		strict string // the code, empty when valid
		schema string
	}{
		"untouched":             {func(*testing.T, string) {}, "", ""},
		"bytes added":           {func(t *testing.T, path string) { must(t, appendTo(path, "x")) }, snapshot.CodeSizeMismatch, ""},
		"too large":             {func(t *testing.T, path string) { must(t, os.Truncate(path, snapshot.MaxBytes+1)) }, snapshot.CodeTooLarge, ""},
		"far too large":         {func(t *testing.T, path string) { must(t, os.Truncate(path, 1<<30)) }, snapshot.CodeTooLarge, snapshot.CodeTooLarge},
		"writable by the group": {func(t *testing.T, path string) { must(t, os.Chmod(path, 0o620)) }, snapshot.CodeWritableByOthers, ""},
		"writable by others":    {func(t *testing.T, path string) { must(t, os.Chmod(path, 0o602)) }, snapshot.CodeWritableByOthers, ""},
		"readable by others":    {func(t *testing.T, path string) { must(t, os.Chmod(path, 0o644)) }, "", ""},
		"a folder": {func(t *testing.T, path string) {
			must(t, os.Remove(path))
			must(t, os.Mkdir(path, 0o700))
		}, snapshot.CodeNotRegular, snapshot.CodeNotRegular},
		"a symlink": {func(t *testing.T, path string) {
			must(t, os.Rename(path, path+".real"))
			must(t, os.Symlink(path+".real", path))
		}, snapshot.CodeSymlink, snapshot.CodeSymlink},
		"a symlinked folder": {func(t *testing.T, path string) {
			dir := filepath.Dir(path)
			must(t, os.Rename(dir, dir+".real"))
			must(t, os.Symlink(dir+".real", dir))
		}, snapshot.CodeSymlink, snapshot.CodeSymlink},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			root, path := store(t)
			test.change(t, path)
			for level, want := range map[snapshot.Level]string{snapshot.LevelStrict: test.strict, snapshot.LevelSchema: test.schema} {
				res := validate(t, root, level)
				got := ""
				if res.Problem != nil {
					got = res.Problem.Code
				}
				if got != want || (res.Verdict == hook.VerdictValid) != (want == "") {
					t.Errorf("%s: got %s, %q; want %q", level, res.Verdict, got, want)
				}
			}
		})
	}
}

func appendTo(path, text string) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	return err
}
