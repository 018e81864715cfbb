package hook

import (
	"fmt"
	"path/filepath"

	"github.com/stagehook/stagehook/sdk/identity"
)

// Rules are what readers and writers of snapshots must agree on. They come from
// the configuration and travel with every request.
type Rules struct {
	identity.Rules
	// Marker is the last line of a truncated snapshot.
	Marker string
}

// Task names what a request is about: a task, or a session that is resumed. The
// SDK has checked it against the rules before a plugin's method runs.
type Task struct {
	// Root is the absolute path of the workspace, the parent of datarim/.
	Root string
	// ID is the task's ID, such as "TUNE-0254". It is empty for a session, which
	// may be about many tasks, except for a [Revalidator]: there it is the task
	// that the session recommends to go on with.
	ID string
	// SessionID is the session's ID, such as "SESSION-20260521-134500"; empty for a
	// task.
	SessionID string
	// Rules are the grammar in force.
	Rules Rules
}

// Grammar compiles the task's rules.
func (t *Task) Grammar() (*identity.Grammar, error) { return identity.New(t.Rules.Rules) }

// Check reports whether the task may be used for IO: an absolute root and an ID
// that passes the grammar.
func (t *Task) Check() error { return t.check(true) }

// CheckSubject is [Task.Check] for requests that may be about a session instead.
func (t *Task) CheckSubject() error { return t.check(t.SessionID == "") }

func (t *Task) check(needsID bool) error {
	if !filepath.IsAbs(t.Root) {
		return &identity.ValueError{Field: "root", Detail: fmt.Sprintf("%q is not an absolute path", t.Root)}
	}
	grammar, err := t.Grammar()
	if err != nil {
		return err
	}
	if t.SessionID != "" {
		if err := identity.SessionID(t.SessionID); err != nil {
			return err
		}
	}
	if t.ID == "" && !needsID {
		return nil
	}
	return grammar.TaskID(t.ID)
}
