package snapshot

import (
	"slices"

	"github.com/stagehook/stagehook/sdk/identity"
)

func checkKeys(fields []field) *Problem {
	for _, f := range fields {
		if !slices.Contains(fieldNames[:], f.key) {
			return problem(CodeUnknownKey, "line %d: %q is no field of a snapshot", f.line, f.key)
		}
	}
	return nil
}

// readFields reads every field of a snapshot, in the header's order. The absence
// of one is reported before the form of another.
func readFields(fields []field, grammar *identity.Grammar) (*Snapshot, *Problem) {
	var values [len(fieldNames)]value
	for i, name := range fieldNames {
		at := slices.IndexFunc(fields, func(f field) bool { return f.key == name })
		if at < 0 {
			return nil, problem(CodeMissingField, "%s is missing", name)
		}
		values[i] = fields[at].value
	}
	s := new(Snapshot)
	for i, name := range fieldNames {
		if p := s.readField(name, values[i], grammar); p != nil {
			return nil, p
		}
	}
	return s, nil
}

func (s *Snapshot) readField(name string, v value, grammar *identity.Grammar) *Problem {
	switch name {
	case "schema_version":
		return readVersion(v)
	case "options":
		return s.readOptions(v)
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
	text, ok := v.str()
	switch {
	case v.null():
		return problem(CodeWrongType, "%s has no value", name)
	case !ok && v.form == formPlain:
		return problem(CodeWrongType, "%s must be a string; YAML reads %q as another type", name, v.text)
	case !ok:
		return problem(CodeWrongType, "%s must be a string", name)
	case name == "artifact" && text != artifact:
		return problem(CodeArtifactMismatch, "artifact is %q, not %s", text, artifact)
	}
	return badValue(s.readText(name, text, grammar))
}

// readText stores one of the fields that are plain strings.
func (s *Snapshot) readText(name, text string, grammar *identity.Grammar) error {
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

// readCapturedAt takes a timestamp with or without quotes: without them YAML has
// a type of its own for it.
func (s *Snapshot) readCapturedAt(v value) *Problem {
	if v.form != formPlain && v.form != formQuoted {
		return problem(CodeWrongType, "captured_at must be a timestamp")
	}
	at, err := identity.CapturedAt(v.text)
	if err != nil {
		return badValue(err)
	}
	if s.CapturedAt = at; at.Format(timeForm) != v.text {
		return problem(CodeBadValue, "captured_at: %q is not in whole seconds and UTC, as %s is", v.text, at.Format(timeForm))
	}
	return nil
}

func (s *Snapshot) readOptions(v value) *Problem {
	if v.form != formList && !v.null() {
		return problem(CodeWrongType, "options must be a list")
	}
	for i, item := range v.items {
		option, ok := item.str()
		if !ok {
			return problem(CodeWrongType, "%s must be a string", optionName(i))
		}
		if err := identity.Line(optionName(i), option); err != nil {
			return badValue(err)
		}
		s.Options = append(s.Options, option)
	}
	return nil
}

func badValue(err error) *Problem {
	if err == nil {
		return nil
	}
	return problem(CodeBadValue, "%s", err.Error())
}
