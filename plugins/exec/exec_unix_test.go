//go:build unix

package exec

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk"
)

const task = "TUNE-0254"

// fresh is an answer that counts.
const fresh = `{"schema":"stagehook.route/1","task_id":"TUNE-0254","verdict":"fresh",` +
	`"route":{"command":"/dr-do TUNE-0254","token":{"type":"advance","value":"advance:1"}},"checked_at":"2026-10-02T08:00:00Z"}`

// refusedAnswer is one that refuses.
const refusedAnswer = `{"schema":"stagehook.route/1","task_id":"TUNE-0254","verdict":"refused",` +
	`"refusals":[{"code":"frozen","path":"datarim/freeze","detail":"work is stopped"}]}`

// configured is the plugin with a command.
func configured(t *testing.T, command ...string) *sdk.Spec {
	t.Helper()
	settings, err := json.Marshal(Settings{Command: command})
	if err != nil {
		t.Fatal(err)
	}
	spec := Spec()
	if err := spec.Configure(settings); err != nil {
		t.Fatal(err)
	}
	return spec
}

// script is the plugin with a shell script as the helper; $1 is the root.
func script(t *testing.T, text string) *sdk.Spec {
	t.Helper()
	return configured(t, "sh", "-c", text, "helper", "{root}")
}

// request asks for the route of a task with a snapshot.
func request(root string) *sdk.RevalidateRequest {
	return &sdk.RevalidateRequest{
		Task: sdk.Task{Root: root, ID: task},
		Snapshot: &sdk.Snapshot{
			TaskID: task, Stage: "plan", Command: "/dr-plan", CapturedBy: "agent", RecommendedNext: "/dr-do",
			CapturedAt: time.Date(2026, 5, 21, 13, 45, 0, 0, time.UTC),
			Body:       []byte("<!-- all \"done\" & more -->\n"),
		},
	}
}

func revalidate(t *testing.T, ctx context.Context, spec *sdk.Spec, req *sdk.RevalidateRequest) *sdk.RevalidateResult {
	t.Helper()
	result, err := spec.Revalidator.Revalidate(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// wantRefusal wants one refusal whose detail holds a text.
func wantRefusal(t *testing.T, result *sdk.RevalidateResult, code, detail string) {
	t.Helper()
	if result.Fresh() || len(result.Refusals) != 1 || result.Refusals[0].Code != code || !strings.Contains(result.Refusals[0].Detail, detail) {
		t.Errorf("fresh %t, refusals %+v; want %s with %q", result.Fresh(), result.Refusals, code, detail)
	}
}

func TestSettings(t *testing.T) {
	for settings, want := range map[string]string{
		`{}`:                      "command: names no program",
		`{"command":[]}`:          "command: names no program",
		`{"command":[""]}`:        "command: names no program",
		`{"command":"prog"}`:      "command: must be of type",
		`{"command":["a\u0000"]}`: "command[0]: holds a NUL",
		`{"program":["a"]}`:       `unknown key "program"`,
	} {
		if err := Spec().Configure([]byte(settings)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v; want %q", settings, err, want)
		}
	}
}
