package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The test binary is also stagehook and a set of plugins, so that the scripts
// run what was built with the race detector.
func TestMain(m *testing.M) { testscript.Main(m, programs) }

// programs are what the test binary is by other names.
var programs = map[string]func(){
	"stagehook":  main,
	"testplugin": func() { os.Exit(testPlugin(os.Args[1:])) },
	"versioned":  func() { os.Exit(versionedPlugin(os.Args[1:])) },
}

func TestScripts(t *testing.T) {
	samples := absolute(t, "testdata", "samples")
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("SAMPLES", samples)
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
		},
	})
}

// exits runs a program that must end with the given exit code:
//
//	exits CODE PROGRAM [ARGUMENT...]
//
// Exec only tells success from failure. The output is compared as after exec.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARGUMENT...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Check(err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s ended with exit code %d; want %d", args[1], got, want)
	}
}
