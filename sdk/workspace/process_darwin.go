package workspace

import (
	"fmt"

	"golang.org/x/sys/unix"
)

func bootID() string {
	id, _ := unix.Sysctl("kern.bootsessionuuid")
	return id
}

// namespaces is empty: there are none.
func namespaces() string { return "" }

// processStart returns when a process started, in seconds and microseconds, and
// whether it has ended but was not yet waited for.
func processStart(pid int) (start string, zombie bool, err error) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return "", false, err
	}
	const zombieState = 5 // SZOMB in sys/proc.h
	at := info.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", at.Sec, at.Usec), info.Proc.P_stat == zombieState, nil
}
