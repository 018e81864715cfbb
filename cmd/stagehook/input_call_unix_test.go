//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk/snapshot"
)

// A call is a stage exit of the task TUNE-0254 in a workspace of its own, and
// what came of it.
type call struct {
	testing.TB
	*exec.Cmd
	root           string
	stdout, stderr bytes.Buffer
	code           int
}

// callIn prepares a stage exit in a workspace. The flags come last.
func callIn(t testing.TB, root string, flags ...string) *call {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	args := append([]string{
		"stage-exit", "--root", root, "--task", "TUNE-0254", "--stage", "plan", "--command", "/dr-plan",
		"--captured-by", "agent", "--recommended-next", "/dr-do",
	}, flags...)
	c := &call{TB: t, Cmd: exec.CommandContext(ctx, "stagehook", args...), root: root}
	c.Stdout, c.Stderr = &c.stdout, &c.stderr
	c.Env = append(os.Environ(), "XDG_RUNTIME_DIR=", "TMPDIR=/tmp", "XDG_CONFIG_HOME="+root)
	return c
}

// newCall is callIn in a new workspace.
func newCall(t testing.TB, flags ...string) *call {
	t.Helper()
	return callIn(t, t.TempDir(), flags...)
}

// by has a shell run the command, as "$@" in the script.
func (c *call) by(shell, script string) *call {
	c.Helper()
	path, err := exec.LookPath(shell)
	if err != nil {
		c.Fatal(err)
	}
	c.Path, c.Args = path, append([]string{shell, "-c", script, shell}, c.Args...)
	return c
}

// run runs the command to its end.
func (c *call) run() *call {
	c.Helper()
	if err := c.Start(); err != nil {
		c.Fatal(err)
	}
	return c.ends()
}

// ends waits for the end of a command that was started.
func (c *call) ends() *call {
	c.Helper()
	_ = c.Wait() // the exit code says the same
	c.code = c.ProcessState.ExitCode()
	return c
}

// wantBody wants the snapshot to hold the body.
func (c *call) wantBody(body string) {
	c.Helper()
	data, err := os.ReadFile(filepath.Join(c.root, filepath.FromSlash(snapshot.Path("TUNE-0254"))))
	if c.code != 0 || err != nil || !strings.HasSuffix(string(data), "\n---\n\n"+body) {
		c.Errorf("exit code %d, %s\nstored: %q, %v\nwant the body %q", c.code, c.stderr.String(), data, err, body)
	}
}

// wantRefused wants exit code 1, the one line, and nothing done.
func (c *call) wantRefused(line string) {
	c.Helper()
	if want := "stagehook: " + line + "\n"; c.code != 1 || c.stderr.String() != want || c.stdout.Len() > 0 {
		c.Errorf("exit code %d, stdout %q, stderr %q; want %q", c.code, c.stdout.String(), c.stderr.String(), want)
	}
	if _, err := os.Stat(filepath.Join(c.root, "datarim")); err == nil {
		c.Error("the workspace was written to")
	}
}

// file writes a file beside others of the test.
func file(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
