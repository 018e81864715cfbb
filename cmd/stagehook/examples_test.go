package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The examples are built as a stranger would build them, in their own modules,
// and swapped in by their own configuration.
func TestExamples(t *testing.T) {
	bin := t.TempDir()
	examples := absolute(t, "..", "..", "examples")
	for _, module := range []string{".", "policy"} {
		build := exec.Command("go", "build", "-o", bin+string(filepath.Separator), "./...")
		build.Dir = filepath.Join(examples, module)
		if output, err := build.CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, output)
		}
	}
	samples := absolute(t, "testdata", "samples")
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "examples"),
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Condition:           hasPackages,
		Setup: func(env *testscript.Env) error {
			server := servePolicy()
			env.Defer(server.Close)
			env.Setenv("POLICY", server.URL)
			env.Setenv("EXAMPLES", examples)
			env.Setenv("PROTO", absolute(t, "..", "..", "sdk", "proto", "stagehook", "v1"))
			env.Setenv("SAMPLES", samples)
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("PATH", bin+string(os.PathListSeparator)+env.Getenv("PATH"))
			return nil
		},
	})
}

func absolute(t *testing.T, elements ...string) string {
	path, err := filepath.Abs(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return path
}
