package process

import "syscall"

// endWithHost has a process asked to end by the death of the thread that starts it,
// for programs that do not heed the end of their standard input. One that is stopped
// gets it, too: its group is an orphan then, which the system wakes up.
func endWithHost(attributes *syscall.SysProcAttr) *syscall.SysProcAttr {
	attributes.Pdeathsig = syscall.SIGTERM
	return attributes
}
