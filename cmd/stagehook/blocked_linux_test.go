package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// One signal ends a command that is blocked in what no context reaches.
func TestSignalEndsABlockedCommand(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "config.yaml")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("stagehook", "config", "show", "--config", fifo)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// A writer finds the FIFO only once there is a reader. It never writes.
	var writer *os.File
	eventually(t, "the reader of the FIFO", func() (opened bool) {
		file, err := os.OpenFile(fifo, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		writer = file
		return err == nil
	})
	defer writer.Close()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 128+int(syscall.SIGTERM) {
		t.Errorf("ended with %v", err)
	}
}

// A umask that takes the owner's bits does not shut plugins out of their sockets.
func TestUmask(t *testing.T) {
	root := t.TempDir()
	script := `umask 0777; exec stagehook stage-exit --root "$1" --task TUNE-0254 --stage plan --command /dr-plan ` +
		`--captured-by agent --recommended-next /dr-do --body-file /dev/null`
	cmd := exec.Command("sh", "-c", script, "sh", root)
	cmd.Env = append(cmd.Environ(), "XDG_RUNTIME_DIR=", "TMPDIR=/tmp")
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, output)
	}
}
