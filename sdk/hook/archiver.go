package hook

import (
	"context"
	"time"
)

// Archiver moves a task's last snapshot away.
type Archiver interface {
	Archive(ctx context.Context, req *ArchiveRequest) (*ArchiveResult, error)
}

// ArchiveRequest asks an [Archiver] to move a task's snapshot.
type ArchiveRequest struct {
	Task Task
	// Event is the event that archives, "archive" or "stage-exit".
	Event string
	// LockTimeout is how long to wait for a writer of the same task.
	LockTimeout time.Duration
}

// Check reports whether the task passes the grammar.
func (r *ArchiveRequest) Check() error { return r.Task.Check() }

// ArchiveResult says what an [Archiver] did.
type ArchiveResult struct {
	// Archived is false when there was nothing to move.
	Archived bool
	Path     string   // where the snapshot is now, relative to the root
	Warnings []string // one line each, for the operator
}
