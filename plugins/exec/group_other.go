//go:build unix && !linux

package exec

import "syscall"

// ownGroup is for a process that leads a group of its own.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
