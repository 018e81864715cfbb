package hook

import (
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
