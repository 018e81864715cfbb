package writer

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
)

func request(root, body string) *sdk.WriteRequest {
	return &sdk.WriteRequest{
		Task: sdk.Task{Root: root, ID: "TUNE-0254"},
		Answer: sdk.Answer{
			Stage:           "plan",
			Command:         "/dr-plan",
			CapturedAt:      time.Date(2026, 5, 21, 13, 45, 0, 0, time.UTC),
			CapturedBy:      "agent",
			RecommendedNext: "/dr-do",
			Body:            []byte(body),
		},
	}
}

func write(t *testing.T, settings string, req *sdk.WriteRequest) (*sdk.WriteResult, error) {
	t.Helper()
	spec := Spec()
	if err := spec.Configure([]byte(settings)); err != nil {
		t.Fatal(err)
	}
	return spec.Writer.Write(t.Context(), req)
}

// left lists what is in the snapshots folder.
func left(t *testing.T, root string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root, "datarim", "snapshots"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func TestWriteReplacesTheSnapshot(t *testing.T) {
	root := t.TempDir()
	for _, body := range []string{"first\n", "second\n"} {
		res, err := write(t, "", request(root, body))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(root, filepath.FromSlash(res.Path))
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(string(data), "---\n\n"+body) || len(data) != res.SizeBytes || res.Truncated {
			t.Errorf("got %q, %+v", data, res)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
	}
	if names := left(t, root); len(names) != 1 {
		t.Errorf("left: %q", names)
	}
}

func TestWriteSettings(t *testing.T) {
	root := t.TempDir()
	req := request(root, strings.Repeat("x", 2000))
	req.Task.Rules.Marker = "<!-- cut -->"
	res, err := write(t, `{"max_bytes": 600}`, req)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(res.Path)))
	if err != nil || len(data) != 600 || !res.Truncated || !strings.HasSuffix(string(data), "x\n<!-- cut -->\n") {
		t.Errorf("got %d bytes, %+v, %v", len(data), res, err)
	}
	for _, bad := range []string{`{"max_bytes": 8193}`, `{"max_bytes": 0}`, `{"max_bytes": "9"}`, `{"size": 600}`} {
		if err := Spec().Configure([]byte(bad)); err == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
}

func TestWriteWarnsOnce(t *testing.T) {
	res, err := write(t, "", request(t.TempDir(), "a\xffb\x00c\xfe"))
	if err != nil || len(res.Warnings) != 1 {
		t.Errorf("got %+v, %v", res, err)
	}
}

func TestWriteFailures(t *testing.T) {
	var failure *hook.Failure
	t.Run("no room for a body", func(t *testing.T) {
		root := t.TempDir()
		req := request(root, "x")
		req.Answer.Options = []string{strings.Repeat("y", 9000)}
		_, err := write(t, "", req)
		if !errors.As(err, &failure) || failure.Code != hook.FailureIO || !strings.Contains(failure.Message, "exceeds 8192-byte cap") {
			t.Errorf("got %v", err)
		}
		if names := left(t, root); names != nil {
			t.Errorf("left: %q", names)
		}
	})
	t.Run("locked", func(t *testing.T) {
		root := t.TempDir()
		if err := os.MkdirAll(filepath.Join(root, "datarim", "snapshots", ".lock.TUNE-0254"), 0o700); err != nil {
			t.Fatal(err)
		}
		_, err := write(t, "", request(root, "x"))
		if !errors.As(err, &failure) || failure.Code != hook.FailureLockTimeout || failure.Hint == "" {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a folder in the way", func(t *testing.T) {
		root := t.TempDir()
		if err := os.MkdirAll(filepath.Join(root, "datarim", "snapshots", "TUNE-0254.snapshot.md"), 0o700); err != nil {
			t.Fatal(err)
		}
		_, err := write(t, "", request(root, "x"))
		if !errors.As(err, &failure) || failure.Code != hook.FailureIO {
			t.Errorf("got %v", err)
		}
		if names := left(t, root); len(names) != 1 {
			t.Errorf("left: %q", names)
		}
	})
}
