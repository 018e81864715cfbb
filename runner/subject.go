package runner

import "github.com/stagehook/stagehook/sdk/snapshot"

// path is where the file of the event's task or session is.
func (s *state) path() string { return snapshot.FilePath(s.event.TaskID, s.event.SessionID) }

// noFile says that nothing is there.
func (s *state) noFile() string {
	if s.event.SessionID != "" {
		return skipNoSession
	}
	return skipNoSnapshot
}

// hasRead reports whether a validator has read the file and found it valid.
func (s *state) hasRead() bool { return s.snapshot != nil || s.session != nil }

// routed are the tasks whose routes the event may follow: its own, or those that
// the session recommends to go on with.
func (s *state) routed() []string {
	switch {
	case s.session != nil:
		return s.session.TaskIDs(s.runner.grammar)
	case s.event.TaskID != "":
		return []string{s.event.TaskID}
	}
	return nil
}
