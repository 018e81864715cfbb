package snapshot

import (
	"bytes"
	"unicode/utf8"

	"github.com/stagehook/stagehook/sdk/identity"
)

// Expect is what a reader knows before it opens a file.
type Expect struct {
	// TaskID is the ID asked for. Only [LevelStrict] looks at it.
	TaskID string
	// Grammar judges the names in the header; never nil.
	Grammar *identity.Grammar
	// Level is how strictly to read; empty means [LevelStrict].
	Level Level
	// Marker is the configured marker, known besides the constants Marker and
	// MarkerRussian; may be empty.
	Marker string
}

// Parse reads a snapshot file or says why data is none: exactly one of the
// results is nil. The problem is the first in a fixed order, that of the codes.
//
// [LevelStrict] accepts what [Render] writes and nothing more, except that YAML
// may spell the same header in another way. [LevelSchema] does not look at
// encoding and size, at the empty line after the header, at the task asked for,
// at the marker, and at unknown keys.
//
// The snapshot's Body is a part of data.
func Parse(data []byte, want Expect) (*Snapshot, *Problem) {
	strict := want.Level != LevelSchema
	if strict {
		if p := checkBytes(data, MaxBytes); p != nil {
			return nil, p
		}
	}
	header, rest, p := split(data)
	if p != nil {
		return nil, p
	}
	body, spaced := bytes.CutPrefix(rest, []byte("\n"))
	if strict && !spaced {
		return nil, problem(CodeNoEmptyLine, "the line after the closing fence is not empty")
	}
	fields, ok := readCanonical(header)
	if !ok {
		if fields, p = decode(header); p != nil {
			return nil, p
		}
	}
	if strict {
		if p := checkKeys(fields, fieldNames[:]); p != nil {
			return nil, p
		}
	}
	s := &Snapshot{Body: body}
	p = readFields(fields, fieldNames[:], func(name string, v value) *Problem {
		return s.readField(name, v, want.Grammar)
	})
	if p != nil {
		return nil, p
	}
	if strict {
		if p := checkFacts(s, len(data), want); p != nil {
			return nil, p
		}
	}
	return s, nil
}

// checkBytes looks at what must hold for the file as a whole.
func checkBytes(data []byte, limit int) *Problem {
	if len(data) > limit {
		return problem(CodeTooLarge, "the file has %d bytes, more than %d", len(data), limit)
	}
	if !utf8.Valid(data) {
		at := invalidUTF8(data)
		return problem(CodeNotUTF8, "line %d holds the byte 0x%02X, which is not UTF-8", lineOf(data, at), data[at])
	}
	if at := bytes.IndexByte(data, 0); at >= 0 {
		return problem(CodeNUL, "line %d holds a NUL byte", lineOf(data, at))
	}
	return nil
}

// checkFacts compares what a well-formed header claims with what is there.
func checkFacts(s *Snapshot, size int, want Expect) *Problem {
	switch {
	case s.TaskID != want.TaskID:
		return problem(CodeTaskMismatch, "task_id is %s, not %s", s.TaskID, want.TaskID)
	case s.SizeBytes != size:
		return problem(CodeSizeMismatch, "size_bytes is %d, the file has %d bytes", s.SizeBytes, size)
	case s.Truncated && !endsWithMarker(s.Body, want.Marker):
		return problem(CodeTruncatedMismatch, "truncated is true, but the last line is no marker")
	case !s.Truncated && endsWithMarker(s.Body, want.Marker):
		return problem(CodeTruncatedMismatch, "truncated is false, but the last line is a marker")
	}
	return nil
}

func invalidUTF8(data []byte) int {
	at := 0
	for {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}

// lineOf returns the number of the line that holds the byte at, from 1.
func lineOf(data []byte, at int) int { return 1 + bytes.Count(data[:at], []byte("\n")) }
