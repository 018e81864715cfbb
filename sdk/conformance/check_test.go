//go:build unix

package conformance

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

// The test binary plays the plugins: with "role" as its first argument, in the
// mode of the second.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "role" {
		os.Exit(playPlugin(os.Args[2], os.Args[len(os.Args)-1]))
	}
	os.Exit(m.Run())
}

// as is the test binary in a mode. The race detector would delay the end of a
// process by a second.
func as(t *testing.T, mode string) Plugin {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Plugin{Command: []string{"env", "GORACE=atexit_sleep_ms=0", self, "role", mode}}
}

// all are the checks of a plugin that serves a writer, a validator and a
// revalidator, in their order.
var all = []string{
	"cookie", "describe", "handshake", "configure", "settings", "unknown-setting",
	"answer", "undeclared-kind", "task-id", "empty-body", "invalid-utf8", "concurrency", "deadline", "cancel",
	"empty-message", "unknown-field", "unknown-enum", "large-message",
	"shutdown", "terminate", "host-death", "stdout",
}

func run(t *testing.T, plugin Plugin) (names []string, failed []Check) {
	t.Helper()
	checks, err := Run(t.Context(), plugin)
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range checks {
		names = append(names, check.Name)
		if !check.OK {
			failed = append(failed, check)
		}
		if check.Detail == "" || strings.Contains(check.Detail, "\n") {
			t.Errorf("the detail of %s is %q; want one line", check.Name, check.Detail)
		}
	}
	if Passed(checks) != (failed == nil) {
		t.Errorf("Passed says %t", Passed(checks))
	}
	return names, failed
}

func TestGoodPluginPasses(t *testing.T) {
	for _, mode := range []string{"good", "noise on standard error"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			names, failed := run(t, as(t, mode))
			if failed != nil || !slices.Equal(names, all) {
				t.Errorf("failed are %+v\nmade were  %q\nwant       %q", failed, names, all)
			}
		})
	}
}

// A plugin that breaks one rule fails that check and no other, and the detail says
// what it did. The mode begins with the name of the check.
func TestBrokenPluginFailsItsCheck(t *testing.T) {
	for mode, want := range map[string]string{
		"cookie":                 "still running after",
		"cookie: content":        "ended with exit code 0",
		"cookie: silent":         "said nothing on standard error",
		"describe: text":         `printed "player 1.0.0", no JSON description`,
		"describe: exit":         "exit status 3",
		"describe: endless":      "it printed more than 1048576 bytes",
		"describe: protocols":    "has the protocols [2]; this one is 1",
		"handshake: noise":       `the first line of its output is "loading policy"; want 1|1|unix|ADDRESS|grpc`,
		"handshake: netrpc":      "want 1|1|unix|ADDRESS|grpc",
		"handshake: certificate": "a certificate that nobody asked for",
		"handshake: elsewhere":   "is not in the folder of PLUGIN_UNIX_SOCKET_DIR",
		"handshake: crash":       `ended before its handshake: exit status 7; it said "no licence found"`,
		"configure: version":     "it is player 1.0.0, and describes itself as player 1.0.1",
		"configure: kinds":       "it serves [writer validator revalidator], and describes itself as [writer]",
		"settings":               `it took the settings ["no object"]`,
		"settings: bare":         "without saying why in a Failure",
		"unknown-setting":        `it took the settings {"no_such_setting":1}`,
		"answer":                 "revalidator: it failed: the policy is missing",
		"undeclared-kind":        "validator: it does not name this kind and answers a call of it with OK; want Unimplemented",
		"task-id":                `revalidator: the task ID "": it answered as if nothing were wrong; want INVALID_ARGUMENT`,
		"task-id: io":            "writer: it refused invalid task IDs, but had changed the workspace by then",
		"empty-body":             `writer: its process ended in the call: exit status 2; it said `,
		"invalid-utf8":           "writer: it failed: no text",
		"concurrency":            "one of 8 calls at the same time: it failed: busy",
		"deadline":               "it was still busy after 1s; hand the call's context on",
		"deadline: lock":         "it was still busy after 1s; hand the call's context on",
		"cancel":                 "it was still busy after 1s; hand the call's context on",
		"empty-message":          "writer: a message without fields: want INVALID_ARGUMENT: its process ended in the call",
		"unknown-field":          "writer: a message with an unknown field: ",
		"unknown-enum":           "validator: the level 99: it answered as if nothing were wrong",
		"large-message":          "writer: a message of 5 MiB; up to 32 must be taken: ",
		"shutdown":               "it did not end within 2s: ",
		"terminate":              "it did not end within 2s",
		"host-death":             "it did not end within 2s",
		"stdout":                 `on standard output behind the handshake, which begin with "ready to serve\n"`,
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			names, failed := run(t, as(t, mode))
			name, _, _ := strings.Cut(mode, ":")
			if len(failed) != 1 || failed[0].Name != name || !strings.Contains(failed[0].Detail, want) {
				t.Errorf("failed are %+v; want %s: %s", failed, name, want)
			}
			if made := slices.Index(all, name) + 1; name == "handshake" || name == "configure" || name == "answer" {
				if !slices.Equal(names, all[:made]) {
					t.Errorf("made were %q; want none behind %s", names, name)
				}
			}
		})
	}
}

func TestCrashingPlugin(t *testing.T) {
	_, failed := run(t, as(t, "answer: crash"))
	want := `revalidator: its process ended in the call: exit status 3; it said "fatal error: out of cheese"`
	if len(failed) != 1 || failed[0].Name != "answer" || failed[0].Detail != want {
		t.Errorf("failed are %+v; want answer: %s", failed, want)
	}
}

func TestRunWithoutAProgram(t *testing.T) {
	for _, command := range [][]string{nil, {"no-such-program"}, {"/no/such/program"}} {
		if checks, err := Run(t.Context(), Plugin{Command: command}); checks != nil || err == nil {
			t.Errorf("%q: %+v, error %v", command, checks, err)
		}
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, as(t, "good")); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

// Nothing is left of a run: no workspace, no socket.
func TestRunLeavesNothing(t *testing.T) {
	temp, err := os.MkdirTemp("/tmp", "") // short, for a socket
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(temp)
	t.Setenv("TMPDIR", temp)
	run(t, as(t, "answer: crash"))
	left, err := os.ReadDir(temp)
	if err != nil || len(left) > 0 {
		t.Errorf("left is %v, error %v", left, err)
	}
}
