package workspace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// refuseTemps makes the kernel ask before a file in a directory is opened, as a
// virus scanner does, and refuses temporary files. By then they have been made.
func refuseTemps(t *testing.T, dir string) {
	t.Helper()
	fd, err := unix.FanotifyInit(unix.FAN_CLASS_CONTENT|unix.FAN_CLOEXEC|unix.FAN_NONBLOCK, unix.O_RDONLY|unix.O_CLOEXEC)
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSYS) {
		t.Skip("fanotify: ", err)
	}
	if err == nil {
		err = unix.FanotifyMark(fd, unix.FAN_MARK_ADD, unix.FAN_OPEN_PERM|unix.FAN_EVENT_ON_CHILD, unix.AT_FDCWD, dir)
	}
	if err != nil {
		t.Fatal("fanotify: ", err)
	}
	questions := os.NewFile(uintptr(fd), "fanotify")
	t.Cleanup(func() { questions.Close() }) // which lets everybody go
	go func() {
		for {
			var event unix.FanotifyEventMetadata
			buffer := make([]byte, binary.Size(event)) // of one question
			if _, err := questions.Read(buffer); err != nil {
				return
			}
			if _, err := binary.Decode(buffer, binary.NativeEndian, &event); err != nil {
				t.Error(err)
				return
			}
			answer := unix.FanotifyResponse{Fd: event.Fd, Response: unix.FAN_ALLOW}
			path, _ := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", event.Fd))
			if strings.HasPrefix(filepath.Base(path), ".tmp.") {
				answer.Response = unix.FAN_DENY
			}
			_ = binary.Write(questions, binary.NativeEndian, answer)
			_ = unix.Close(int(event.Fd))
		}
	}()
}

// A file that was made and could not be opened is no debris.
func TestRefusedOpeningLeavesNoTemporaryFile(t *testing.T) {
	w := newWorkspace(t)
	dir := newDir(t, w, "d")
	path := plant(t, w.Root(), "d/file", "old")
	refuseTemps(t, filepath.Dir(path))
	if err := dir.Replace("file", []byte("new")); !errors.Is(err, syscall.EPERM) {
		t.Errorf("Replace: %v, want EPERM", err)
	}
	wantContent(t, path, "old")
	wantNames(t, filepath.Dir(path), "file")
}
