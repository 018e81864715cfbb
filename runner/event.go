package runner

import (
	"fmt"
	"path/filepath"
	"unicode/utf8"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// EventName says what has happened.
type EventName string

// The events. Validate and Route run the steps of Resume up to the validators
// and the revalidators, so that they judge exactly as a resume would.
const (
	StageExit EventName = "stage-exit"
	Resume    EventName = "resume"
	Archive   EventName = "archive"
	Validate  EventName = "validate"
	Route     EventName = "route"
)

// Event is one thing that has happened to a task, or to a session.
type Event struct {
	Name      EventName
	Root      string // absolute path of the workspace, the parent of datarim/
	TaskID    string
	SessionID string // instead of TaskID; only Resume and Validate take it
	// Answer is what the stage ended with, for StageExit. Without a CapturedAt it
	// gets the time at which the event is fired.
	Answer *hook.Answer
	// Level is how strictly a snapshot is judged; empty is strict. Only Validate
	// may choose another.
	Level snapshot.Level
}

// check reports what is wrong with the event's values, the root apart.
func (e *Event) check(grammar *identity.Grammar) error {
	switch e.Name {
	case StageExit, Resume, Archive, Validate, Route:
	default:
		return &identity.ValueError{Field: "event", Detail: fmt.Sprintf("%q is no event", e.Name)}
	}
	switch e.Level {
	case "", snapshot.LevelStrict, snapshot.LevelSchema:
	default:
		return &identity.ValueError{Field: "level", Detail: fmt.Sprintf("%q is none of strict, schema", e.Level)}
	}
	if e.SessionID != "" {
		return e.checkSession()
	}
	if err := grammar.TaskID(e.TaskID); err != nil {
		return err
	}
	if e.Name == StageExit {
		if e.Answer == nil {
			return &identity.ValueError{Field: "answer", Detail: "is missing"}
		}
		return e.Answer.Check(grammar)
	}
	return nil
}

func (e *Event) checkSession() error {
	switch {
	case e.TaskID != "":
		return &identity.ValueError{Field: "session_id", Detail: "an event is about a task or a session, not both"}
	case e.Name != Resume && e.Name != Validate:
		return &identity.ValueError{Field: "session_id", Detail: fmt.Sprintf("no session has the event %s", e.Name)}
	}
	return identity.SessionID(e.SessionID)
}

// checkRoot reports what is wrong with the root as text.
func (e *Event) checkRoot() error {
	if !filepath.IsAbs(e.Root) {
		return &identity.ValueError{Field: "root", Detail: fmt.Sprintf("%q is not an absolute path", e.Root)}
	}
	// Requests carry it as text.
	if !utf8.ValidString(e.Root) {
		return &identity.ValueError{Field: "root", Detail: fmt.Sprintf("%q is not UTF-8", e.Root)}
	}
	return nil
}

// level is the level in force.
func (e *Event) level() snapshot.Level {
	if e.Name == Validate && e.Level != "" {
		return e.Level
	}
	return snapshot.LevelStrict
}

// Check reports what is wrong with the event's values, without any IO and
// without regard to the root. Fire does the same; a caller that must find the
// root or read files for the event may want to know before.
func (r *Runner) Check(event Event) error { return event.check(r.grammar) }
