package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A writing is a plugin that is held at the opening of its temporary file: it has
// the lock, and its file has a name and no content yet.
type writing struct {
	pid    int
	temp   string                // absolute
	answer func(response uint32) // lets it go on, or refuses the opening
}

func (w *writing) letGo() { w.answer(unix.FAN_ALLOW) }

// held starts a command and waits until it is held in a folder: the kernel asks
// before anything in there is opened.
func (s *site) held(cmd *exec.Cmd, dir string) *writing {
	s.Helper()
	fd, err := unix.FanotifyInit(unix.FAN_CLASS_CONTENT|unix.FAN_CLOEXEC|unix.FAN_NONBLOCK, unix.O_RDONLY|unix.O_CLOEXEC)
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSYS) {
		s.Skipf("fanotify: %v", err)
	}
	if err == nil {
		err = unix.FanotifyMark(fd, unix.FAN_MARK_ADD, unix.FAN_OPEN_PERM|unix.FAN_EVENT_ON_CHILD, unix.AT_FDCWD, dir)
	}
	if err != nil {
		s.Fatalf("fanotify: %v", err)
	}
	questions := os.NewFile(uintptr(fd), "fanotify")
	s.Cleanup(func() { _ = questions.Close() })
	found := make(chan *writing, 1)
	go judge(questions, found)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		s.Fatal(err)
	}
	select {
	case w := <-found:
		return w
	case <-time.After(patience):
		_ = cmd.Process.Kill()
		s.Fatal("no temporary file was opened")
		return nil
	}
}

// judge answers the kernel's questions until it holds the opener of a temporary
// file. When that one is answered no more is asked.
func judge(questions *os.File, found chan<- *writing) {
	buffer := make([]byte, 4096)
	for {
		n, err := questions.Read(buffer)
		if err != nil {
			return // closed, which lets everybody go
		}
		for events := buffer[:n]; len(events) > 0; {
			var event unix.FanotifyEventMetadata
			if _, err := binary.Decode(events, binary.NativeEndian, &event); err != nil {
				panic(err) // another kernel than the package knows
			}
			events = events[event.Event_len:]
			answer := func(response uint32) {
				_ = binary.Write(questions, binary.NativeEndian, unix.FanotifyResponse{Fd: event.Fd, Response: response})
				_ = unix.Close(int(event.Fd))
			}
			path, _ := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", event.Fd))
			if !strings.HasPrefix(filepath.Base(path), ".tmp.") {
				answer(unix.FAN_ALLOW)
				continue
			}
			found <- &writing{int(event.Pid), path, func(response uint32) {
				answer(response)
				_ = questions.Close()
			}}
		}
	}
}

// A stage exit that is told to end, twice and with its group, while its writer
// holds the lock, lets the writer finish and leaves nothing but a snapshot.
func TestSignalsWhileTheLockIsHeld(t *testing.T) {
	for name, signal := range endings {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			next, old := s.store("new"), s.store("old")
			cmd := s.stageExit("new")
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			w := s.held(cmd, s.snapshots())
			for range 2 {
				_ = syscall.Kill(-cmd.Process.Pid, signal)
			}
			// The plugins that are idle are ended first.
			eventually(t, "the end of the validator", func() bool {
				plugins := descendants(cmd.Process.Pid)
				return len(plugins) == 1 && plugins[0] == w.pid
			})
			w.letGo()
			if code := s.wait(cmd); code != exitSignal+int(signal) || stderr.String() != fmt.Sprintf("stagehook: ended by %s\n", signal) {
				t.Errorf("ended with %d: %s", code, stderr.String())
			}
			s.wantGone()
			s.wantClean()
			s.wantOnly(s.temp)
			if got := s.whole(s.snapshot()); got != next && got != old {
				t.Error("neither the old nor the new snapshot")
			}
		})
	}
}

// A stage exit whose writer never comes back ends all the same, and the next one
// takes over the lock.
func TestSignalWhileTheWriterIsStuck(t *testing.T) {
	s := newSite(t)
	old := s.store("old")
	cmd := s.stageExit("new")
	w := s.held(cmd, s.snapshots())
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if code := s.wait(cmd); code != exitSignal+int(syscall.SIGTERM) {
		t.Errorf("ended with %d", code)
	}
	s.wantGone()
	w.letGo()
	if s.whole(s.snapshot()) != old {
		t.Error("the snapshot has changed")
	}
	s.store("new")
	s.wantClean()
	s.wantOnly(s.temp)
}

// A security module may refuse a file that is there already when it is asked.
func TestRefusedOpening(t *testing.T) {
	s := newSite(t)
	old := s.store("old")
	cmd := s.stageExit("new")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	s.held(cmd, s.snapshots()).answer(unix.FAN_DENY)
	code := s.wait(cmd)
	s.wantFault(ending{code, stdout.String(), stderr.String()}, "operation not permitted", old)
	s.store("new")
	s.wantClean()
}
