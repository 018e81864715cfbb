package hook

import (
	"context"
	"fmt"
	"time"

	"github.com/stagehook/stagehook/sdk/identity"
)

// Writer stores the answer that a stage ended with.
type Writer interface {
	Write(ctx context.Context, req *WriteRequest) (*WriteResult, error)
}

// Answer is what a stage ended with. Its values have passed the grammar; its
// body is as the stage left it.
type Answer struct {
	Stage           string
	Command         string
	CapturedAt      time.Time // UTC, whole seconds
	CapturedBy      string
	RecommendedNext string
	Options         []string
	Body            []byte // of any size and encoding
}

// WriteRequest asks a [Writer] to store an answer.
type WriteRequest struct {
	Task   Task
	Answer Answer
	// LockTimeout is how long to wait for another writer of the same task.
	LockTimeout time.Duration
}

// Check reports whether the task and every value of the answer pass the
// grammar.
func (r *WriteRequest) Check() error {
	if err := r.Task.Check(); err != nil {
		return err
	}
	grammar, err := r.Task.Grammar()
	if err != nil {
		return err
	}
	return r.Answer.Check(grammar)
}

// Check reports the first value that does not pass the grammar, as a
// [*identity.ValueError].
func (a *Answer) Check(grammar *identity.Grammar) error {
	if err := grammar.Stage(a.Stage); err != nil {
		return err
	}
	if err := identity.Command(a.Command); err != nil {
		return err
	}
	// A zero time is checked as the year 1: whoever fires the event has set it.
	if year := a.CapturedAt.UTC().Year(); year < 0 || year > 9999 {
		return &identity.ValueError{Field: "captured_at", Detail: fmt.Sprintf("the year %d is outside 0 to 9999", year)}
	}
	if err := identity.CapturedBy(a.CapturedBy); err != nil {
		return err
	}
	if err := identity.RecommendedNext(a.RecommendedNext); err != nil {
		return err
	}
	for i, option := range a.Options {
		// For people, who count from 1.
		if err := identity.Line(fmt.Sprintf("options[%d]", i+1), option); err != nil {
			return err
		}
	}
	return nil
}

// WriteResult says what a [Writer] stored.
type WriteResult struct {
	Path      string   // relative to the root, with forward slashes
	SizeBytes int      // the whole file
	Truncated bool     // whether the body was cut
	Warnings  []string // one line each, for the operator
}
