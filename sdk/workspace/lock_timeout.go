package workspace

import (
	"fmt"
	"time"
)

// LockTimeoutError says that another process holds a task's lock.
type LockTimeoutError struct {
	TaskID string
	Path   string        // of the lock, relative to the root, with forward slashes
	Age    time.Duration // since the lock was taken
	Owner  *Owner        // nil when there is no valid owner file
}

func (e *LockTimeoutError) Error() string {
	age := e.Age.Round(time.Millisecond)
	if e.Owner == nil {
		return fmt.Sprintf("lock %s is held: taken %s ago, without a valid owner file", e.Path, age)
	}
	return fmt.Sprintf("lock %s is held: taken %s ago by process %d on host %q", e.Path, age, e.Owner.PID, e.Owner.Host)
}

// Hint says in one line what to do about it.
func (e *LockTimeoutError) Hint() string {
	if e.Owner != nil && e.Owner.alive() {
		return fmt.Sprintf("process %d is at work on %s; try again when it has ended", e.Owner.PID, e.TaskID)
	}
	return fmt.Sprintf("if nothing writes %s any more, clear the lock: stagehook unlock --task %s", e.TaskID, e.TaskID)
}
