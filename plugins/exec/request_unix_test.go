//go:build unix

package exec

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
)

// stored is what a helper has stored of its input, which is one line.
func stored(t *testing.T, root string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "input"))
	if err != nil || strings.Count(string(data), "\n") != 1 || !strings.HasSuffix(string(data), "\n") {
		t.Fatalf("%q, %v", data, err)
	}
	return string(data)
}

func TestRevalidateInput(t *testing.T) {
	root := t.TempDir()
	spec := script(t, `cat > "$1/input"; echo '`+fresh+`'`)
	req := request(root)
	revalidate(t, t.Context(), spec, req)
	// Not escaped, so that grep finds it as well.
	want := `{"schema":"stagehook.revalidate/1","task_id":"TUNE-0254","root":"` + root + `","snapshot":{"stage":"plan","command":"/dr-plan",` +
		`"captured_at":"2026-05-21T13:45:00Z","captured_by":"agent","recommended_next":"/dr-do","options":[],"truncated":false,` +
		`"body":"<!-- all \"done\" & more -->\n"}}` + "\n"
	if got := stored(t, root); got != want {
		t.Errorf("got %s", got)
	}
	req.Snapshot = nil
	revalidate(t, t.Context(), spec, req)
	if got := stored(t, root); got != `{"schema":"stagehook.revalidate/1","task_id":"TUNE-0254","root":"`+root+`","snapshot":null}`+"\n" {
		t.Errorf("got %s", got)
	}
}

func observeRequest(root string) *sdk.ObserveRequest {
	return &sdk.ObserveRequest{
		Task: sdk.Task{Root: root, ID: task}, Event: "resume", Result: "refused", Detail: "frozen",
		Started: time.Date(2026, 5, 21, 13, 45, 0, 0, time.UTC), Elapsed: 1500 * time.Microsecond,
	}
}

func TestObserveInput(t *testing.T) {
	root := t.TempDir()
	req := observeRequest(root)
	spec := script(t, `cat > "$1/input"; head -c 10000000 /dev/zero`) // what it prints does not matter
	if err := spec.Observer.Observe(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if got, want := stored(t, root), `{"schema":"stagehook.observe/1","task_id":"TUNE-0254","root":"`+root+`","event":"resume","result":"refused",`+
		`"detail":"frozen","started":"2026-05-21T13:45:00Z","elapsed_ms":1.5,"steps":[]}`+"\n"; got != want {
		t.Errorf("got %s", got)
	}

	req.Steps = []hook.StepReport{
		{Kind: "validator", Plugin: "v", PID: 7, Start: time.Second, Call: time.Millisecond},
		{Kind: "revalidator", Plugin: "r", Skipped: "not now", Failed: "out of cheese"},
	}
	if err := spec.Observer.Observe(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	var got struct{ Steps []map[string]any }
	if err := json.Unmarshal([]byte(stored(t, root)), &got); err != nil {
		t.Fatal(err)
	}
	want := []map[string]any{
		{"kind": "validator", "plugin": "v", "start_ms": 1000.0, "call_ms": 1.0},
		{"kind": "revalidator", "plugin": "r", "start_ms": 0.0, "call_ms": 0.0, "skipped": "not now", "failed": "out of cheese"},
	}
	if !reflect.DeepEqual(got.Steps, want) {
		t.Errorf("got %v", got.Steps)
	}
}

func TestObserverThatFails(t *testing.T) {
	root := t.TempDir()
	err := script(t, `echo down >&2; exit 2`).Observer.Observe(t.Context(), observeRequest(root))
	if err == nil || err.Error() != "the helper ended with exit code 2: down" {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	err = script(t, family+`sleep 1000`).Observer.Observe(ctx, observeRequest(root))
	if err == nil || !strings.HasPrefix(err.Error(), "the helper did not end within ") {
		t.Errorf("error %v", err)
	}
	wantGone(t, pids(t, root, 2))
}
