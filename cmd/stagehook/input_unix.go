//go:build unix

package main

import (
	"path"
	"strconv"

	"golang.org/x/sys/unix"
)

// isInherited reports whether name is no file descriptor of this process, such as
// /dev/fd/3, or one that its caller has opened for it. The descriptors that the
// program and its runtime open for themselves are closed on exec, and the others
// cannot be: where the caller forgot to open one, it must not be one of those.
func isInherited(name string) bool {
	folder, number := path.Split(name)
	if folder != "/dev/fd/" && folder != "/proc/self/fd/" {
		return true
	}
	fd, err := strconv.Atoi(number)
	if err != nil {
		return true
	}
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
	return err == nil && flags&unix.FD_CLOEXEC == 0
}
