package hook

import "fmt"

// FailureCode says what kind of failure a plugin reports, for a host to branch
// on.
type FailureCode string

// The failures that a plugin can report. Anything else it returns counts as
// [FailureInternal].
const (
	FailureArgument    FailureCode = "argument"     // a value of the request was refused
	FailureIO          FailureCode = "io"           // reading or writing went wrong; nothing is half done
	FailureLockTimeout FailureCode = "lock-timeout" // another process holds the task's lock
	FailureInternal    FailureCode = "internal"     // the plugin is broken
)

// Failure is an error that keeps its meaning across the process boundary. A
// verdict such as "malformed" is no failure: it is part of a result.
type Failure struct {
	Code    FailureCode
	Message string // one line, without the plugin's name
	Hint    string // one line: what to do about it; may be empty
}

func (f *Failure) Error() string { return f.Message }

// Failf makes a [Failure] without a hint.
func Failf(code FailureCode, format string, args ...any) *Failure {
	return &Failure{Code: code, Message: fmt.Sprintf(format, args...)}
}
