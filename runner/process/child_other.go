//go:build unix && !linux

package process

import "syscall"

// endWithHost changes nothing: only Linux tells a process of its host's death.
func endWithHost(attributes *syscall.SysProcAttr) *syscall.SysProcAttr { return attributes }
