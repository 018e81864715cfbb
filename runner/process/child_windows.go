package process

import (
	"os"
	"os/exec"
	"syscall"
)

// setGroup keeps a Ctrl-C on the console from the process.
func setGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// killGroup kills the process. Its children are not reached: Windows has no
// process groups of that kind.
func killGroup(pid int) {
	if process, err := os.FindProcess(pid); err == nil {
		_ = process.Kill()
	}
}

func startRetrying(cmd *exec.Cmd) error { return cmd.Start() }
