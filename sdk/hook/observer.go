package hook

import (
	"context"
	"time"
)

// Observer is told of each finished event. It cannot change the outcome; its
// own failure is a warning.
type Observer interface {
	Observe(ctx context.Context, req *ObserveRequest) error
}

// ObserveRequest tells an [Observer] how an event ended. It never holds the
// text of an answer.
type ObserveRequest struct {
	Task    Task
	Event   string        // such as "stage-exit"
	Result  string        // such as "done", "missing", "refused" or "failed"
	Detail  string        // one line: what was refused or failed; may be empty
	Started time.Time     // UTC
	Elapsed time.Duration // from the event's start to the observers' turn
	Steps   []StepReport
}

// Check reports whether the task or session passes the grammar.
func (r *ObserveRequest) Check() error { return r.Task.CheckSubject() }

// StepReport is what became of one step of an event.
type StepReport struct {
	Kind    Kind
	Plugin  string
	PID     int           // 0 when no process was started
	Start   time.Duration // from the start of the process until it was ready
	Call    time.Duration // of the call
	Skipped string        // why the step did not run; empty when it ran
	Failed  string        // one line; empty when the step succeeded
}
