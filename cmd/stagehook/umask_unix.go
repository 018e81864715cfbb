//go:build unix

package main

import "syscall"

// ownFiles makes sure that what this program and its plugins create is theirs to
// use: a umask that takes the owner's own bits would shut them out of their
// sockets.
func ownFiles() {
	const ownerBits = 0o700
	if mask := syscall.Umask(0o077); mask&ownerBits != 0 {
		syscall.Umask(mask &^ ownerBits)
	} else {
		syscall.Umask(mask)
	}
}
