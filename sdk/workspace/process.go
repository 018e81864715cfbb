//go:build linux || darwin

package workspace

import "golang.org/x/sys/unix"

// processEnded reports whether it is certain that the process with this ID and
// start time runs no more.
func processEnded(pid int, start string) bool {
	// Asked by signal first, since a system may hide the files and tables of
	// other users' processes, and hidden is not ended.
	if unix.Kill(pid, 0) == unix.ESRCH {
		return true
	}
	now, zombie, err := processStart(pid)
	return err == nil && (zombie || now != start)
}
