package exec

import (
	"os"
	"syscall"
)

// ownGroup keeps a Ctrl-C on the console from the process.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// killGroup kills the process. Its children are not reached: Windows has no
// process groups of that kind.
func killGroup(leader *os.Process) {
	_ = leader.Kill()
}
