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

// Task names what a request is about. The SDK has checked it against the rules
// before a plugin's method runs.
type Task struct {
	// Root is the absolute path of the workspace, the parent of datarim/.
	Root string
	// ID is the task's ID, such as "TUNE-0254".
	ID string
	// Rules are the grammar in force.
	Rules Rules
}

// Grammar compiles the task's rules.
func (t *Task) Grammar() (*identity.Grammar, error) { return identity.New(t.Rules.Rules) }

// Check reports whether the task may be used for IO: an absolute root and an ID
// that passes the grammar.
func (t *Task) Check() error {
	if !filepath.IsAbs(t.Root) {
		return &identity.ValueError{Field: "root", Detail: fmt.Sprintf("%q is not an absolute path", t.Root)}
	}
	grammar, err := t.Grammar()
	if err != nil {
		return err
	}
	return grammar.TaskID(t.ID)
}
