//go:build unix

package process

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

// sum is the pin of a program.
func sum(t testing.TB, program string) string {
	t.Helper()
	content, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256(content)
	return hex.EncodeToString(hash[:])
}

func TestPin(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	command := as("plugin", "good")
	command.SHA256 = sum(t, command.Argv[0])
	wantPrompt(t, mustStart(t, openPool(t), command), "prompt")
}

// A program with other bytes is not started.
func TestPinOfAnotherProgram(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	marker := filepath.Join(t.TempDir(), "started")
	command := script(t, "touch "+marker)
	command.SHA256 = strings.Repeat("0", 64)
	err := failStart(t, openPool(t), command)
	wantError(t, err, command.Argv[0]+` is not the pinned program: its sha256 is `+sum(t, command.Argv[0]))
	if hint := err.(*Error).Hint; hint == "" {
		t.Error("there is no hint")
	}
	if _, err := Describe(t.Context(), command); err == nil {
		t.Error("Describe succeeded")
	} else {
		wantError(t, err, `.* is not the pinned program: .*`)
	}
	if exists(marker) {
		t.Error("it was started")
	}
}

// A script is executed by an interpreter, which must find it.
func TestPinOfScript(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	command := script(t, `echo script "$1" >&2; exit 3`)
	command.Argv = append(command.Argv, "argument")
	command.SHA256 = sum(t, command.Argv[0])
	wantError(t, failStart(t, openPool(t), command), `exited with status 3 before it was ready: script argument`)
}

func TestPinOfWhatIsNoProgram(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o755); err != nil {
		t.Fatal(err)
	}
	plain := program(t, "#!/bin/sh\n")
	if err := os.Chmod(plain, 0o644); err != nil {
		t.Fatal(err)
	}
	for program, want := range map[string]string{
		fifo:              fifo + ` could not be started: it is not a regular file`,
		"/dev/zero":       `/dev/zero could not be started: it is not a regular file`,
		"/no/such":        `/no/such does not exist`,
		"no-such-program": `no-such-program is not in PATH`,
		plain:             plain + ` may not be executed`,
	} {
		command := running(program)
		command.SHA256 = strings.Repeat("0", 64)
		if program == plain {
			command.SHA256 = sum(t, plain)
		}
		wantError(t, failStart(t, openPool(t), command), want)
	}
}
