package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// eventually polls until the condition holds.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for: %s", what)
		}
	}
}

// children lists the processes that a process has started and not yet waited for.
func children(pid int) []string {
	var list []string
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, task := range tasks {
		if data, err := os.ReadFile(task); err == nil {
			list = append(list, strings.Fields(string(data))...)
		}
	}
	return list
}

// endings are the signals that ask a command to end.
var endings = map[string]syscall.Signal{
	"interrupt": syscall.SIGINT,
	"terminate": syscall.SIGTERM,
	"hang up":   syscall.SIGHUP,
}

// A stage exit that waits for a lock is ended by each signal that asks for it,
// also when it comes twice and to the whole group: with the signal's exit code,
// its plugins gone, and nothing of its own left.
func TestSignalsEndAStageExit(t *testing.T) {
	for name, signal := range endings {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			temp, err := os.MkdirTemp("/tmp", "") // short enough for a socket
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.RemoveAll(temp) })
			lock := filepath.Join(root, "datarim", "snapshots", ".lock.TUNE-0254")
			if err := os.MkdirAll(lock, 0o700); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("stagehook", "stage-exit", "--root", root, "--task", "TUNE-0254", "--stage", "plan",
				"--command", "/dr-plan", "--captured-by", "agent", "--recommended-next", "/dr-do", "--body-file", "-")
			cmd.Stdin = strings.NewReader("All done.\n")
			cmd.Env = append(os.Environ(), "TMPDIR="+temp, "XDG_RUNTIME_DIR=", "DR_SNAPSHOT_LOCK_TIMEOUT=600")
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			var plugins []string
			eventually(t, "the start of two plugins", func() bool {
				plugins = children(cmd.Process.Pid)
				return len(plugins) == 2
			})
			for range 2 {
				if err := syscall.Kill(-cmd.Process.Pid, signal); err != nil {
					t.Fatal(err)
				}
			}
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 128+int(signal) {
				t.Errorf("ended with %v; want exit code %d", err, 128+int(signal))
			}
			if want := fmt.Sprintf("stagehook: ended by %s\n", signal); stderr.String() != want {
				t.Errorf("stderr %q; want %q", stderr.String(), want)
			}
			for _, pid := range plugins {
				if _, err := os.Stat("/proc/" + pid); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("the plugin process %s is still there: %v", pid, err)
				}
			}
			for dir, want := range map[string]int{temp: 0, filepath.Dir(lock): 1} {
				if entries, err := os.ReadDir(dir); err != nil || len(entries) != want {
					t.Errorf("%s holds %v, %v", dir, entries, err)
				}
			}
		})
	}
}

// A stage exit that is killed takes its plugins with it.
func TestPluginsEndWithAKilledStageExit(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "datarim", "snapshots", ".lock.TUNE-0254"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("stagehook", "stage-exit", "--root", root, "--task", "TUNE-0254", "--stage", "plan",
		"--command", "/dr-plan", "--captured-by", "agent", "--recommended-next", "/dr-do", "--body-file", "/dev/null")
	temp, err := os.MkdirTemp("/tmp", "") // short enough for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(temp) })
	cmd.Env = append(os.Environ(), "TMPDIR="+temp, "XDG_RUNTIME_DIR=")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var plugins []string
	eventually(t, "the start of two plugins", func() bool {
		plugins = children(cmd.Process.Pid)
		return len(plugins) == 2
	})
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	for _, pid := range plugins {
		eventually(t, "the end of plugin process "+pid, func() bool {
			stat, err := os.ReadFile("/proc/" + pid + "/stat")
			// Nobody may be there to wait for an orphan: a zombie has ended.
			return err != nil || strings.Contains(string(stat), ") Z ")
		})
	}
	// A plugin that had not begun to serve leaves the folder of its socket to the next
	// run, which has something to start.
	next := exec.Command("stagehook", "route", "--root", root, "--task", "TUNE-0254")
	next.Env = cmd.Env
	_ = next.Run() // there is no route
	if entries, err := os.ReadDir(temp); err != nil || len(entries) > 0 {
		t.Errorf("%s holds %v, %v", temp, entries, err)
	}
}

// At whatever instant a stage exit is told to end: with the signal's exit code
// unless it was done, and with no lock, temporary file or socket left behind.
func TestSignalAtAnyInstant(t *testing.T) {
	for name, signal := range endings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.killAtInstants(30, crash{
				kill: func(cmd *exec.Cmd, instant time.Duration) {
					time.Sleep(instant) // to spread the instants
					_ = syscall.Kill(-cmd.Process.Pid, signal)
				},
				ended: func(end ending) {
					// Before the program has begun, the signal itself ends it.
					said := end.stderr == "" || end.stderr == fmt.Sprintf("stagehook: ended by %s\n", signal)
					if end != (ending{}) && (end.code != exitSignal+int(signal) || !said) {
						s.Fatalf("ended with %d: %s", end.code, end.stderr)
					}
					s.wantClean()
					s.wantOnly(s.temp)
				},
			})
		})
	}
}
