package snapshot

import (
	"bytes"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/stagehook/stagehook/sdk/identity"
)

// MaxSessionBytes is the hard cap of a whole session artefact, header included.
const MaxSessionBytes = 32768

// Session is what a session artefact holds: the handoff from one session of an
// agent to the next, about any number of tasks. Other programs write it.
type Session struct {
	SessionID       string    // such as "SESSION-20260521-134500"
	CapturedAt      time.Time // UTC, whole seconds
	CapturedBy      string    // "agent" or "operator"
	RecommendedNext string    // a command, perhaps with arguments
	NextAction      string    // what the command is for; one line, not empty
	ActiveTasks     []string  // one line each
	Body            []byte    // everything behind the header and its empty line, if it has one
}

// SessionPath returns the path of a session's artefact, relative to the workspace
// root and with forward slashes. The ID must have passed [identity.SessionID].
func SessionPath(id string) string { return "datarim/sessions/" + id + ".session.md" }

// FilePath returns [SessionPath] when a session is named, else the [Path] of the
// task: where the file is that an event reads.
func FilePath(taskID, sessionID string) string {
	if sessionID != "" {
		return SessionPath(sessionID)
	}
	return Path(taskID)
}

// TaskIDs returns the tasks that the recommended command's arguments name, each
// once, however they are written there: an agent understands "tune-0254" and an ID
// with another dash as well, so these are read as the ID that they look like. What
// is written in letters that only look like ASCII is not found.
func (s *Session) TaskIDs(grammar *identity.Grammar) []string {
	_, arguments, _ := strings.Cut(s.RecommendedNext, " ")
	var ids []string
	for _, text := range []string{arguments, strings.ToUpper(strings.Map(toASCII, arguments))} {
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !identity.InTaskID(r) }) {
			for _, id := range []string{word, strings.Trim(word, "-_")} {
				if grammar.TaskID(id) == nil && !slices.Contains(ids, id) {
					ids = append(ids, id)
				}
			}
		}
	}
	return ids
}

// toASCII gives a dash and a full-width character their plain form, and drops what
// is invisible.
func toASCII(r rune) rune {
	switch {
	case unicode.Is(unicode.Pd, r) || r == '\u2212': // the minus sign
		return '-'
	case r >= '\uFF01' && r <= '\uFF5E':
		return r - '\uFF01' + '!'
	case unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
		return -1
	}
	return r
}

// The header's keys, in the order in which they are judged.
var sessionFieldNames = []string{
	"session_id", "artifact", "schema_version", "captured_at",
	"captured_by", "recommended_next", "next_action", "active_tasks",
}

const sessionArtifact = "session-handoff"

// ParseSession reads the artefact of session id or says why data is none: exactly
// one of the results is nil. [LevelSchema] does not look at encoding, unknown keys
// and the session asked for; size, headings and claims count at both levels.
//
// The session's Body is a part of data.
func ParseSession(data []byte, id string, level Level) (*Session, *Problem) {
	strict := level != LevelSchema
	if len(data) > MaxSessionBytes || strict {
		if p := checkBytes(data, MaxSessionBytes); p != nil {
			return nil, p
		}
	}
	header, rest, p := split(data)
	if p != nil {
		return nil, p
	}
	fields, p := decode(header)
	if p != nil {
		return nil, p
	}
	if strict {
		if p := checkKeys(fields, sessionFieldNames); p != nil {
			return nil, p
		}
	}
	s := &Session{Body: bytes.TrimPrefix(rest, []byte("\n"))}
	if p := readFields(fields, sessionFieldNames, s.readField); p != nil {
		return nil, p
	}
	if strict && s.SessionID != id {
		return nil, problem(CodeSessionMismatch, "session_id is %s, not %s", s.SessionID, id)
	}
	if p := checkLayers(s.Body); p != nil {
		return nil, p
	}
	if p := checkClaims(s.Body, lineOf(data, len(data)-len(s.Body))); p != nil {
		return nil, p
	}
	return s, nil
}

func (s *Session) readField(name string, v value) (p *Problem) {
	switch name {
	case "schema_version":
		return readVersion(v)
	case "active_tasks":
		s.ActiveTasks, p = readLines(name, v)
		return p
	case "captured_at":
		s.CapturedAt, p = readTime(v)
		return p
	}
	text, p := readText(name, v)
	if p != nil {
		return p
	}
	if name == "artifact" {
		return checkArtifact(text, sessionArtifact)
	}
	return badValue(s.setText(name, text))
}

// setText stores one of the fields that are plain strings.
func (s *Session) setText(name, text string) error {
	switch name {
	case "session_id":
		s.SessionID = text
		return identity.SessionID(text)
	case "captured_by":
		s.CapturedBy = text
		return identity.CapturedBy(text)
	case "recommended_next":
		s.RecommendedNext = text
		return identity.RecommendedNext(text)
	case "next_action":
		s.NextAction = text
		if strings.TrimSpace(text) == "" {
			return &identity.ValueError{Field: name, Detail: "is empty"}
		}
		return identity.Line(name, text)
	}
	return nil
}
