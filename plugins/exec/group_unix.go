//go:build unix

package exec

import (
	"os"
	"syscall"
)

// killGroup kills whatever is left of the group that the process led.
func killGroup(leader *os.Process) {
	_ = syscall.Kill(-leader.Pid, syscall.SIGKILL)
}
