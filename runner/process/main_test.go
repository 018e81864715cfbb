//go:build unix

package process

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/stagehook/stagehook/sdk/identity"
)

// patience is how long a test waits for what must happen. Only a failing test
// waits that long.
const patience = 30 * time.Second

// The test binary plays the plugins, good and bad, and a host: with "role" as its
// first argument it plays what the second one names.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "role" {
		os.Exit(roles[os.Args[2]](os.Args[3:]))
	}
	os.Exit(m.Run())
}

// roles return the exit code.
var roles = map[string]func(args []string) int{
	"plugin":    playPlugin,
	"early":     playEarly,
	"mute":      playMute,
	"foreign":   playForeign,
	"daemonize": playDaemonize,
	"host":      playHost,
}

// undelayed keeps the race detector from delaying the end of a process by a second.
const undelayed = "GORACE=atexit_sleep_ms=0"

// as is a command for the test binary in a role.
func as(role string, args ...string) Command {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	command := running(append([]string{self, "role", role}, args...)...)
	command.Environ = append(command.Environ, undelayed)
	return command
}

func running(argv ...string) Command {
	return Command{
		Plugin:       "stranger",
		Argv:         argv,
		Environ:      Environ(nil, hclog.Debug),
		StartTimeout: patience,
		StopTimeout:  5 * time.Second,
		Log:          hclog.NewNullLogger(),
	}
}

// script is a command for a shell script.
func script(t testing.TB, text string) Command {
	return running(program(t, "#!/bin/sh\n"+text+"\n"))
}

// program writes a file that may be executed.
func program(t testing.TB, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	// A process that is forked while the file is open for writing holds it open,
	// and then it cannot be executed.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// openPool returns a pool that is closed at the end of the test and must leave
// nothing of the processes that run then.
func openPool(t testing.TB) *Pool {
	t.Helper()
	pool := &Pool{}
	t.Cleanup(func() { closePool(t, pool) })
	return pool
}

func closePool(t testing.TB, pool *Pool) {
	t.Helper()
	pool.mu.Lock()
	var children []*child
	var sockets []string
	for _, s := range pool.running {
		select {
		case <-s.process.spawned:
		case <-s.ready: // it may have come to no process
		}
		if s.process.child != nil {
			children = append(children, s.process.child)
			sockets = append(sockets, s.process.sockets)
		}
	}
	pool.mu.Unlock()

	closed := make(chan struct{})
	go func() {
		pool.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(patience):
		t.Fatal("Close hangs")
	}
	for _, dir := range sockets {
		if _, err := os.Stat(dir); dir != "" && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the socket directory is left: %v", err)
		}
	}
	for _, c := range children {
		if pid := c.pid(); pid != 0 {
			wantNoGroup(t, pid)
		}
	}
}

// wantNoGroup waits until no process of the group lives.
func wantNoGroup(t testing.TB, group int) {
	t.Helper()
	wait(t, "the end of the plugin's group", func() bool { return !groupLives(group) })
}

// wait polls until the condition holds.
func wait(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// mustStart starts the process.
func mustStart(t testing.TB, pool *Pool, command Command) *Process {
	t.Helper()
	p, err := pool.Start(command).Wait(t.Context())
	if err != nil {
		t.Fatalf("the start: %v", err)
	}
	return p
}

// failStart returns the error of a process that must not start.
func failStart(t testing.TB, pool *Pool, command Command) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	_, err := pool.Start(command).Wait(ctx)
	if err == nil {
		t.Fatal("the start succeeded")
	}
	return err
}

// wantError checks that the error is an [*Error] of one line whose text behind
// the plugin's name matches the pattern.
func wantError(t testing.TB, err error, pattern string) {
	t.Helper()
	var failure *Error
	if !errors.As(err, &failure) {
		t.Fatalf("error is %T %v; want a *process.Error", err, err)
	}
	text := err.Error()
	if err := identity.Line("text", text); err != nil {
		t.Errorf("the text %v", err)
	}
	if err := identity.Line("hint", failure.Hint); err != nil {
		t.Errorf("the hint %v", err)
	}
	if len(text) > 1024 {
		t.Errorf("the text has %d bytes", len(text))
	}
	what, ok := strings.CutPrefix(text, "plugin stranger: ")
	if !ok || !regexp.MustCompile("^(?:"+pattern+")$").MatchString(what) {
		t.Errorf("error is %q; want plugin stranger: %s", text, pattern)
	}
}
