package main

import (
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stagehook/stagehook/sdk/hook"
)

// What init writes is a plugin that can be built and tested, keeps the rules and
// has its say in the event that its configuration wires it into.
func TestNewPluginOfEachKindWorks(t *testing.T) {
	may := []string{"--captured-at", "2026-05-21T13:45:00Z", "--body-file", file(t, "body", "All done.\n")}
	for kind, test := range map[hook.Kind]struct {
		args []string // of the event; nil for a stage exit
		code int
		want string
	}{
		hook.KindWriter:      {nil, 0, "\n\nStored by keen\n\nAll done.\n"},
		hook.KindValidator:   {[]string{"validate", "--task", "TUNE-0254"}, exitMalformed, `the snapshot of TUNE-0254 is malformed: text-missing: the body does not hold "three steps"`},
		hook.KindRevalidator: {[]string{"resume", "--task", "TUNE-0254"}, exitRefused, "route refused: too-old: the snapshot is "},
		hook.KindRenderer:    {[]string{"resume", "--task", "TUNE-0254"}, 0, "\nAll done.\n\nAnswer briefly.\n"},
		hook.KindArchiver:    {[]string{"archive", "--task", "TUNE-0254"}, exitIO, "TUNE-0254 is not archived before there is documentation/done/TUNE-0254.md"},
		hook.KindObserver:    {nil, 0, "stagehook.keen: the event "},
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			folder := newPlugin(t, kind)
			root := t.TempDir()
			wired := []string{"--config", filepath.Join(folder, "stagehook.yaml"), "--log-level", "info"}
			if stored := callIn(t, root, append(may, wired...)...).run(); test.args == nil {
				data, err := os.ReadFile(filepath.Join(root, "datarim/snapshots/TUNE-0254.snapshot.md"))
				if said := string(data) + stored.stderr.String(); err != nil || stored.code != 0 || !strings.Contains(said, test.want) {
					t.Errorf("exit code %d, %v:\n%s", stored.code, err, said)
				}
				return
			}
			c := commandIn(t, root, append(test.args, wired...)...).run()
			if said := c.stdout.String() + c.stderr.String(); c.code != test.code || !strings.Contains(said, test.want) {
				t.Errorf("exit code %d:\n%s", c.code, said)
			}
		})
	}
}

// newPlugin makes, builds and tests the plugin "keen" without a network, and returns
// its folder.
func newPlugin(t *testing.T, kind hook.Kind) string {
	t.Helper()
	dir, checkout := t.TempDir(), absolute(t, "..", "..")
	folder := filepath.Join(dir, "keen")
	inFolder := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = folder
		// What go mod tidy would add is what the checkout has.
		cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod -buildvcs=false", "GORACE=atexit_sleep_ms=0")
		output, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, output)
		}
		return string(output)
	}
	said, err := exec.Command("stagehook", "plugins", "init", "keen", "--kind", string(kind), "--dir", dir, "--sdk", checkout).CombinedOutput()
	if err != nil || !strings.Contains(string(said), "\n  cd "+folder+"\n  go mod tidy\n  go test\n  go build\n  stagehook plugins verify ./keen\n") {
		t.Fatalf("init: %v\n%s", err, said)
	}
	sums, err := os.ReadFile(filepath.Join(checkout, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "go.sum"), sums, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"main.go", "main_test.go"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if formatted, err := format.Source(text); err != nil || string(formatted) != string(text) {
			t.Errorf("%s is not as gofmt has it: %v", name, err)
		}
	}
	inFolder("go", "build")
	inFolder("go", "vet")
	inFolder("go", "test", "-skip", "^TestProgramKeepsTheRules$") // that is verified below
	if checks := inFolder("stagehook", "plugins", "verify", "./keen"); strings.Contains(checks, "✘") {
		t.Error(checks)
	}
	return folder
}
