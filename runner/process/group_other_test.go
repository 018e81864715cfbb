//go:build unix && !linux

package process

import "syscall"

// groupLives reports whether a process of the group lives.
func groupLives(group int) bool { return syscall.Kill(-group, 0) != syscall.ESRCH }
