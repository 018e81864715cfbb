package conformance

import (
	"os"
	"os/exec"
	"syscall"
)

// setGroup keeps a Ctrl-C on the console from the process.
func setGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// killGroup kills the process. Windows has no groups that its children are in.
func killGroup(pid int) {
	if process, err := os.FindProcess(pid); err == nil {
		_ = process.Kill()
	}
}
