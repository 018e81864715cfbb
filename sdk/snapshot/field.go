package snapshot

import (
	"slices"
	"time"

	"github.com/stagehook/stagehook/sdk/identity"
)

// checkKeys refuses every key that is none of names.
func checkKeys(fields []field, names []string) *Problem {
	for _, f := range fields {
		if !slices.Contains(names, f.key) {
			return problem(CodeUnknownKey, "line %d: %q is no field of this header", f.line, f.key)
		}
	}
	return nil
}

// readFields hands the value of each named field to read, in that order. The
// absence of one is reported before the form of another.
func readFields(fields []field, names []string, read func(name string, v value) *Problem) *Problem {
	var values [maxFields]value
	for i, name := range names {
		at := slices.IndexFunc(fields, func(f field) bool { return f.key == name })
		if at < 0 {
			return problem(CodeMissingField, "%s is missing", name)
		}
		values[i] = fields[at].value
	}
	for i, name := range names {
		if p := read(name, values[i]); p != nil {
			return p
		}
	}
	return nil
}

func (s *Snapshot) readField(name string, v value, grammar *identity.Grammar) (p *Problem) {
	switch name {
	case "schema_version":
		return readVersion(v)
	case "options":
		s.Options, p = readLines(name, v)
		return p
	case "size_bytes":
		n, ok := v.integer()
		if !ok {
			return problem(CodeWrongType, "size_bytes must be an integer in decimal digits, without quotes")
		}
		s.SizeBytes = n
		return nil
	case "truncated":
		b, ok := v.boolean()
		if !ok {
			return problem(CodeWrongType, "truncated must be true or false, without quotes")
		}
		s.Truncated = b
		return nil
	case "captured_at":
		return s.readCapturedAt(v)
	}
	text, p := readText(name, v)
	if p != nil {
		return p
	}
	if name == "artifact" {
		return checkArtifact(text, artifact)
	}
	return badValue(s.setText(name, text, grammar))
}

// readText reads a field that is a plain string.
func readText(name string, v value) (string, *Problem) {
	text, ok := v.str()
	switch {
	case v.null():
		return "", problem(CodeWrongType, "%s has no value", name)
	case !ok && v.form == formPlain:
		return "", problem(CodeWrongType, "%s must be a string; YAML reads %q as another type", name, v.text)
	case !ok:
		return "", problem(CodeWrongType, "%s must be a string", name)
	}
	return text, nil
}

func checkArtifact(text, want string) *Problem {
	if text != want {
		return problem(CodeArtifactMismatch, "artifact is %q, not %s", text, want)
	}
	return nil
}

// setText stores one of the fields that are plain strings.
func (s *Snapshot) setText(name, text string, grammar *identity.Grammar) error {
	switch name {
	case "task_id":
		s.TaskID = text
		return grammar.TaskID(text)
	case "stage":
		s.Stage = text
		return grammar.Stage(text)
	case "command":
		s.Command = text
		return identity.Command(text)
	case "captured_by":
		s.CapturedBy = text
		return identity.CapturedBy(text)
	case "recommended_next":
		s.RecommendedNext = text
		return identity.RecommendedNext(text)
	}
	return nil
}

func readVersion(v value) *Problem {
	switch _, ok := v.integer(); {
	case !ok:
		return problem(CodeWrongType, "schema_version must be an integer in decimal digits, without quotes")
	case v.text != schemaVersion:
		return problem(CodeSchemaVersion, "schema_version is %s, not %s", v.text, schemaVersion)
	}
	return nil
}

// readTime takes a timestamp with or without quotes: without them YAML has a type
// of its own for it.
func readTime(v value) (time.Time, *Problem) {
	if v.form != formPlain && v.form != formQuoted {
		return time.Time{}, problem(CodeWrongType, "captured_at must be a timestamp")
	}
	at, err := identity.CapturedAt(v.text)
	return at, badValue(err)
}

func (s *Snapshot) readCapturedAt(v value) *Problem {
	at, p := readTime(v)
	if p != nil {
		return p
	}
	if s.CapturedAt = at; at.Format(timeForm) != v.text {
		return problem(CodeBadValue, "captured_at: %q is not in whole seconds and UTC, as %s is", v.text, at.Format(timeForm))
	}
	return nil
}

// readLines reads a list of strings of one line each.
func readLines(name string, v value) (lines []string, p *Problem) {
	if v.form != formList && !v.null() {
		return nil, problem(CodeWrongType, "%s must be a list", name)
	}
	for i, item := range v.items {
		line, ok := item.str()
		if !ok {
			return nil, problem(CodeWrongType, "%s must be a string", itemName(name, i))
		}
		if err := identity.Line(itemName(name, i), line); err != nil {
			return nil, badValue(err)
		}
		lines = append(lines, line)
	}
	return lines, nil
}

func badValue(err error) *Problem {
	if err == nil {
		return nil
	}
	return problem(CodeBadValue, "%s", err.Error())
}
