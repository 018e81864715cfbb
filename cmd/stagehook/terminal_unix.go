//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// isTerminal asks for the size of the terminal, which nothing else has: the null
// device is a character device, too.
func isTerminal(file *os.File) bool {
	conn, err := file.SyscallConn()
	if err != nil {
		return false
	}
	sized := false
	err = conn.Control(func(fd uintptr) {
		_, err := unix.IoctlGetWinsize(int(fd), unix.TIOCGWINSZ)
		sized = err == nil
	})
	return err == nil && sized
}
