//go:build unix

package workspace

import "syscall"

// nonBlocking keeps an open from waiting for the other end of a FIFO.
const nonBlocking = syscall.O_NONBLOCK
