package snapshot

import (
	"bytes"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
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

// ProjectionStart begins a line of a body that is a research projection: a claim
// about decisions that only a revalidator may confirm.
const ProjectionStart = "<!-- research-projection:"

// lineBreaks are all that some reader takes for the end of a line.
const lineBreaks = "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029"

// HasProjection reports whether a line of the body begins a projection.
func HasProjection(body []byte) bool { return len(Projections(body)) > 0 }

// Projections returns the lines of the body that begin a projection, each from
// [ProjectionStart] to its end.
//
// A projection that is missed is one that nobody confirms. So a line is whatever
// some reader takes for one, after CR, VT, FF, U+001C to U+001E, U+0085, U+2028
// and U+2029 as well, and it may begin with white space, invisible characters
// such as a byte order mark, U+FFFD, which a writer puts in the place of some, and
// the marks of block quotes.
func Projections(body []byte) []string {
	var lines []string
	for at := 0; ; at += len(ProjectionStart) {
		next := bytes.Index(body[at:], []byte(ProjectionStart))
		if next < 0 {
			return lines
		}
		if at += next; endsInLineStart(body[:at]) {
			line := string(body[at:])
			if end := strings.IndexAny(line, lineBreaks); end >= 0 {
				line = line[:end]
			}
			lines = append(lines, line)
		}
	}
}

// endsInLineStart reports whether the last line of text holds nothing yet.
func endsInLineStart(text []byte) bool {
	for len(text) > 0 {
		r, size := utf8.DecodeLastRune(text)
		switch {
		case strings.ContainsRune(lineBreaks, r):
			return true
		case r != '>' && r != utf8.RuneError && !unicode.In(r, unicode.White_Space, unicode.Cc, unicode.Cf,
			unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
			return false
		}
		text = text[:len(text)-size]
	}
	return true
}
