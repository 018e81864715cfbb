package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// descendants lists a process's children and theirs.
func descendants(pid int) []int {
	var all []int
	for _, text := range children(pid) {
		if child, err := strconv.Atoi(text); err == nil {
			all = append(append(all, child), descendants(child)...)
		}
	}
	return all
}

// killAll kills a command and its plugins, which have groups of their own, at one
// instant: the command is stopped first, so that it notices nothing.
func killAll(cmd *exec.Cmd) {
	_ = cmd.Process.Signal(syscall.SIGSTOP)
	for _, pid := range descendants(cmd.Process.Pid) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	_ = cmd.Process.Kill()
}

// killGroup kills a command with its process group, as a caller does that knows
// nothing of plugins. They notice and end.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// writerOf is the process of a command's writer, 0 while there is none.
func writerOf(cmd *exec.Cmd) int {
	for _, pid := range descendants(cmd.Process.Pid) {
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err == nil && bytes.HasSuffix(line, []byte("\x00snapshot-writer\x00")) {
			return pid
		}
	}
	return 0
}

// ended reports whether a command has ended that nobody has waited for yet.
func ended(cmd *exec.Cmd) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
	return err != nil || bytes.Contains(stat, []byte(") Z "))
}

// A crash is what happens to a stage exit at some instant.
type crash struct {
	// kill does it to the command, an instant after its start.
	kill func(cmd *exec.Cmd, instant time.Duration)
	// ended looks at how the command ended, before the next one.
	ended func(end ending)
}

// killAtInstants lets a crash happen to count stage exits, at instants that are
// spread evenly over the length of a run and a tenth more; the last one has ended
// by then. Each time the old or the new snapshot must be there and whole and all
// processes must end, and the next stage exit must find no lock and leave nothing
// but its snapshot.
func (s *site) killAtInstants(count int, c crash) {
	s.Helper()
	next, old := s.store("new"), s.store("old")
	var stored, littered int
	length := s.timed(s.stageExit("old"))
	for i := range count {
		var stderr bytes.Buffer
		cmd := s.stageExit("new")
		cmd.Stderr = &stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			s.Fatal(err)
		}
		last := i == count-1
		if last {
			s.waitEnded(cmd)
		}
		c.kill(cmd, length*11/10*time.Duration(i)/time.Duration(count-1))
		code := s.wait(cmd)
		s.wantGone()
		switch got := s.whole(s.snapshot()); {
		case got == next:
			stored++
		case got != old:
			s.Fatalf("kill %d of %d: neither the old nor the new snapshot", i, count)
		case last:
			s.Fatal("a run to its end has not stored the snapshot")
		}
		if len(s.names(s.snapshots())) > 1 {
			littered++
		}
		c.ended(ending{code: code, stderr: stderr.String()})
		length = s.timed(s.stageExit("old"))
		if s.whole(s.snapshot()) != old {
			s.Fatalf("kill %d of %d: the next snapshot is another", i, count)
		}
		s.wantClean()
		s.wantSwept()
	}
	s.Logf("of %d, %d had stored the snapshot and %d left something else", count, stored, littered)
}

// wantSwept fails the test unless the last run has removed all folders of sockets
// but those whose host died before it had marked them as its own.
func (s *site) wantSwept() {
	s.Helper()
	for _, name := range s.names(s.temp) {
		path := filepath.Join(s.temp, name)
		if info, err := os.Lstat(path); err != nil || info.Mode() != os.ModeDir|0o700 || len(s.names(path)) > 0 {
			s.Fatalf("%s was left: %v", path, err)
		}
	}
}

// waitEnded waits until a command has ended, and leaves it to be waited for.
func (s *site) waitEnded(cmd *exec.Cmd) {
	s.Helper()
	eventually(s, "the end of the command", func() bool { return ended(cmd) })
}

// timed runs a command, which must succeed, and returns how long it took.
func (s *site) timed(cmd *exec.Cmd) time.Duration {
	s.Helper()
	begin := time.Now()
	s.must(cmd)
	return time.Since(begin)
}

// At whatever instant a stage exit is killed, be its plugins killed at the same
// instant or left to notice.
func TestKilledStageExit(t *testing.T) {
	for name, kill := range map[string]func(*exec.Cmd){"with all plugins": killAll, "as a group": killGroup} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newSite(t).killAtInstants(105, crash{
				kill: func(cmd *exec.Cmd, instant time.Duration) {
					time.Sleep(instant) // to spread the instants
					kill(cmd)
				},
				ended: func(ending) {},
			})
		})
	}
}

// At whatever instant the writer's process is killed.
func TestKilledWriter(t *testing.T) {
	newSite(t).killAtInstants(40, crash{
		kill: func(cmd *exec.Cmd, instant time.Duration) {
			var writer int
			eventually(t, "the writer's process", func() bool {
				writer = writerOf(cmd)
				return writer != 0 || ended(cmd)
			})
			if writer != 0 {
				time.Sleep(instant / 2) // to spread the instants over the writer's time
				_ = syscall.Kill(writer, syscall.SIGKILL)
			}
		},
		ended: func(end ending) {
			if end.code != exitPlugin && end != (ending{}) || strings.Count(end.stderr, "\n") > 1 {
				t.Fatalf("ended with %d: %s", end.code, end.stderr)
			}
		},
	})
}

// The writer is killed when it takes each of its steps.
func TestWriterKilledAtAStep(t *testing.T) {
	const snapshot, lock = siteTask + ".snapshot.md", ".lock." + siteTask
	for _, step := range []step{
		{"opening the folder", "openat", folder},
		{"making the lock", "mkdirat", folder},
		{"giving it an owner", "fchmod", anything},
		{"taking it", "renameat2", lock},
		{"looking for what was left", "getdents64", folder},
		{"filling the temporary file", "write", tempFile},
		{"making its content durable", "fsync", tempFile},
		{"closing it", "close", tempFile},
		{"looking at the old snapshot", "newfstatat", snapshot},
		{"publishing the new one", "renameat,renameat2", snapshot},
		{"making its name durable", "fsync", folder},
		{"giving the lock back", "renameat", lock},
		{"removing it", "unlinkat", folder},
	} {
		t.Run(step.name, func(t *testing.T) {
			s := newSite(t)
			next, old := s.store("new"), s.store("old")
			if end := s.inject(s.stageExit("new"), s.snapshots(), step, "signal=KILL"); end.code != exitPlugin {
				t.Errorf("ended with %d: %s", end.code, end.stderr)
			}
			s.wantGone()
			if got := s.whole(s.snapshot()); got != old && got != next {
				t.Error("neither the old nor the new snapshot")
			}
			s.store("new")
			s.wantClean()
		})
	}
}
