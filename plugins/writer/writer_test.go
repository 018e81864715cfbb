package writer

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/snapshot"
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
	for _, bad := range []string{`{"max_bytes": 8193}`, `{"max_bytes": 511}`, `{"max_bytes": 0}`, `{"max_bytes": "9"}`, `{"size": 600}`,
		`{"truncation": ""}`, `{"truncation": "head"}`, `{"truncation": "Keep-CTA"}`, `{"truncation": true}`} {
		if err := Spec().Configure([]byte(bad)); err == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
}

func TestWriteKeepsTheCTABlock(t *testing.T) {
	const block = "---\n\n**Next step**\n\n1. `/dr-do TUNE-0254` — **recommended** — go on\n\n---\n"
	root, long := t.TempDir(), strings.Repeat("x", 9000)+"\n"
	large := strings.Replace(block, "go on", strings.Repeat("y", 300), 1)
	for _, c := range []struct{ name, settings, body, end, warning string }{
		{"kept", `{"truncation": "keep-cta"}`, long + block, "x\n" + snapshot.Marker + "\n" + block + snapshot.Marker + "\n", ""},
		{"no block", `{"truncation": "keep-cta"}`, long, "x\n" + snapshot.Marker + "\n", "no CTA block ends the body, so it was cut at its end"},
		{"no room", `{"truncation": "keep-cta", "max_bytes": 512}`, long + large, "x\n" + snapshot.Marker + "\n", "the CTA block of 372 bytes does not fit, so it was cut at its end"},
		{"not cut", `{"truncation": "keep-cta"}`, "text\n", "\n\ntext\n", ""},
		{"by default", ``, long + block, "x\n" + snapshot.Marker + "\n", ""},
		{"as said", `{"truncation": "keep-head"}`, long + block, "x\n" + snapshot.Marker + "\n", ""},
	} {
		res, err := write(t, c.settings, request(root, c.body))
		if err != nil {
			t.Fatal(c.name, err)
		}
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(res.Path)))
		if err != nil || !strings.HasSuffix(string(data), c.end) || len(data) != res.SizeBytes {
			t.Errorf("%s: got %q, %+v, %v", c.name, data, res, err)
		}
		if got := strings.Join(res.Warnings, "|"); got != c.warning {
			t.Errorf("%s: warned %q", c.name, got)
		}
	}
}

func TestWriteReplacesWhatIsNoTextWithOneWarning(t *testing.T) {
	for _, locale := range []string{"C", "ru_RU.UTF-8"} {
		t.Setenv("LC_ALL", locale)
		for body, want := range map[string]string{
			"a\xffb":              "a\uFFFDb",
			"a\xffb\x00c\xfe":     "a\uFFFDb\uFFFDc\uFFFD",
			"\xff\xfea\x00\n\x00": "\uFFFD\uFFFDa\uFFFD\n\uFFFD", // UTF-16
			"слово 🚀\r\n":         "слово 🚀\r\n",
		} {
			root, warnings := t.TempDir(), 0
			if want != body {
				warnings = 1
			}
			res, err := write(t, "", request(root, body))
			if err != nil || len(res.Warnings) != warnings {
				t.Fatalf("%s, %q: got %+v, %v", locale, body, res, err)
			}
			data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(res.Path)))
			if err != nil || !strings.HasSuffix(string(data), "---\n\n"+want) {
				t.Errorf("%s, %q: stored %q, %v", locale, body, data, err)
			}
		}
	}
}

func TestWriteWarnsOfAnEmptyAnswer(t *testing.T) {
	root := t.TempDir()
	res, err := write(t, "", request(root, ""))
	if err != nil || len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "empty") {
		t.Fatalf("got %+v, %v", res, err)
	}
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(res.Path)))
	if err != nil || !strings.HasSuffix(string(data), "\n---\n\n") {
		t.Errorf("stored %q, %v", data, err)
	}
}

// thief is a context that takes the task's lock away when the writer, which has
// it by then, asks whether it is still wanted.
type thief struct {
	context.Context
	lock string
}

func (c thief) Err() error { return os.RemoveAll(c.lock) }

func TestWriteUnderALockThatIsTakenAway(t *testing.T) {
	root := t.TempDir()
	snapshots := filepath.Join(root, "datarim", "snapshots")
	ctx := thief{t.Context(), filepath.Join(snapshots, ".lock.TUNE-0254")}
	writer := Spec().Writer

	// What is stored is stored.
	res, err := writer.Write(ctx, request(root, "text\n"))
	const warning = "the snapshot is stored, but the lock was not given back: lock datarim/snapshots/.lock.TUNE-0254 is not ours any more"
	if err != nil || len(res.Warnings) != 1 || res.Warnings[0] != warning {
		t.Fatalf("got %+v, %v", res, err)
	}
	path := filepath.Join(snapshots, "TUNE-0254.snapshot.md")
	if data, err := os.ReadFile(path); err != nil || len(data) != res.SizeBytes || !strings.HasSuffix(string(data), "\ntext\n") {
		t.Errorf("stored %q, %v", data, err)
	}

	// What failed failed, and the message stays on its line.
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o700)); err != nil {
		t.Fatal(err)
	}
	_, err = writer.Write(ctx, request(root, "text\n"))
	var failure *hook.Failure
	if !errors.As(err, &failure) || failure.Code != hook.FailureIO || strings.Contains(failure.Message, "\n") ||
		!strings.Contains(failure.Message, "directory") || !strings.Contains(failure.Message, "not ours any more") {
		t.Errorf("got %v", err)
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
