package snapshot

import (
	"bytes"
	"time"
)

// MaxBytes is the hard cap of a whole snapshot file, header included.
const MaxBytes = 8192

// Snapshot is what a snapshot file holds.
type Snapshot struct {
	TaskID          string
	Stage           string    // such as "plan"
	Command         string    // such as "/dr-plan"
	CapturedAt      time.Time // UTC, whole seconds
	CapturedBy      string    // "agent" or "operator"
	RecommendedNext string    // a command, perhaps with arguments
	Options         []string  // "COMMAND | PURPOSE", one line each
	SizeBytes       int       // the whole file's size in bytes, as declared
	Truncated       bool      // whether the body's last line is a marker; see [Render]
	Body            []byte    // everything behind the header's empty line
}

// Path returns the path of the task's snapshot, relative to the workspace root
// and with forward slashes. The ID must have passed the grammar.
func Path(taskID string) string { return "datarim/snapshots/" + FileName(taskID) }

// FileName returns the last element of [Path].
func FileName(taskID string) string { return taskID + ".snapshot.md" }

var projectionStart = []byte("<!-- research-projection:")

// HasProjection reports whether a line of the body begins a research
// projection: a claim about decisions that only a revalidator may confirm.
func HasProjection(body []byte) bool {
	return bytes.HasPrefix(body, projectionStart) ||
		bytes.Contains(body, append([]byte{'\n'}, projectionStart...))
}
