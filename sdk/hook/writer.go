package hook

import (
	"context"
	"time"
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

// WriteResult says what a [Writer] stored.
type WriteResult struct {
	Path      string   // relative to the root, with forward slashes
	SizeBytes int      // the whole file
	Truncated bool     // whether the body was cut
	Warnings  []string // one line each, for the operator
}
