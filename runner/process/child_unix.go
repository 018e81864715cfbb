//go:build unix

package process

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// setGroup makes the process the leader of a group of its own: a Ctrl-C on the
// terminal does not reach it, and its children can be killed with it. Where the
// system can, it asks the process to end when its host has died.
func setGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = endWithHost(&syscall.SysProcAttr{Setpgid: true})
}

// killGroup kills whatever is left of the group that pid led. The number is not
// reused while a member of the group lives.
func killGroup(pid int) {
	_ = syscall.Kill(-pid, syscall.SIGKILL)
}

// startRetrying starts the process. A program that was written a moment ago can
// be "busy" while a fork of another thread still holds it open for writing.
func startRetrying(cmd *exec.Cmd) error {
	sealFiles()
	const tries = 5
	for try := 1; ; try++ {
		err := cmd.Start()
		if try == tries || !errors.Is(err, syscall.ETXTBSY) {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// sealFiles keeps the files from a plugin that the host itself was started with,
// such as a shell's lock file. What a Go program opens is sealed from the start.
var sealFiles = sync.OnceFunc(func() {
	open, _ := os.ReadDir("/dev/fd") // best effort: nothing else lists them
	for _, entry := range open {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
})
