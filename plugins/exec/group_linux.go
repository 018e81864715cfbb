package exec

import "syscall"

// ownGroup is for a process that leads a group of its own and does not outlive
// the plugin, however that ends.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
