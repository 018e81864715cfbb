//go:build unix

package conformance

import (
	"os/exec"
	"syscall"
)

// setGroup makes the process the leader of a group, so that its children can be
// killed with it.
func setGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }
