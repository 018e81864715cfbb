package config

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/stagehook/stagehook/sdk/yamldoc"
)

const (
	// maxDepth bounds the nesting of a file: every walk over the values may
	// recurse.
	maxDepth = yamldoc.MaxDepth
	// maxKeyBytes keeps keys short enough to be written back as simple keys,
	// which YAML ends at 1024.
	maxKeyBytes = 256
	// maxErrors is more than a person reads of one file.
	maxErrors = 20
)

// shape compares a parsed file with the types that it is decoded into. It sees
// each value before the library converts it, so "yes" is no bool, 0123 is not 83
// and an empty value does not quietly keep a default.
type shape struct {
	file *document
	errs Errors
}

// checkShape reports everything that is wrong with the file's form and notes the
// line of every value.
func (d *document) checkShape(root *yaml.Node) error {
	s := &shape{file: d}
	s.value(root, reflect.TypeFor[Config](), nil)
	return s.errs.orNil()
}

func (s *shape) fail(n *yaml.Node, path keyPath, format string, args ...any) {
	if len(s.errs) == maxErrors {
		return
	}
	s.errs = append(s.errs, s.file.fail(n.Line, path, format, args...)...)
}

// value checks the value n, which is to become a t.
func (s *shape) value(n *yaml.Node, t reflect.Type, path keyPath) {
	switch {
	case n.Kind == yaml.AliasNode:
		s.fail(n, path, "is an alias; write the value out")
	case n.Anchor != "":
		s.fail(n, path, "has an anchor; aliases are not allowed")
	case n.Style&yaml.TaggedStyle != 0:
		s.fail(n, path, "has the tag %.80q; tags are not allowed", n.Tag)
	case n.Tag == "!!null":
		s.fail(n, path, "has no value; leave the key out instead")
	case len(path) > maxDepth:
		s.fail(n, path[:3], "is nested too deeply")
	default:
		s.typed(n, t, path)
	}
}

func (s *shape) typed(n *yaml.Node, t reflect.Type, path keyPath) {
	switch t.Kind() {
	case reflect.Struct:
		s.mapping(n, path, fields(t))
	case reflect.Map:
		s.mapping(n, path, func(string) (reflect.Type, string) { return t.Elem(), "" })
	case reflect.Slice:
		s.sequence(n, t.Elem(), path)
	case reflect.Interface:
		s.setting(n, t, path)
	default:
		s.scalar(n, t, path)
	}
}

// fields returns a function that gives the type of a key of the struct t, or the
// keys that it knows.
func fields(t reflect.Type) func(key string) (reflect.Type, string) {
	return func(key string) (reflect.Type, string) {
		var known []string
		for i := range t.NumField() {
			field := t.Field(i)
			switch name := field.Tag.Get("yaml"); name {
			case "", "-":
			case key:
				return field.Type, ""
			default:
				known = append(known, name)
			}
		}
		return nil, strings.Join(known, " ")
	}
}

func (s *shape) mapping(n *yaml.Node, path keyPath, typeOf func(key string) (reflect.Type, string)) {
	if n.Kind != yaml.MappingNode {
		s.mistyped(n, path, "a mapping of keys to values")
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if problem := keyProblem(key); problem != "" {
			s.fail(key, path, "%s", problem)
			continue
		}
		below := path.with(key.Value)
		if line := seen[key.Value]; line > 0 {
			s.fail(key, below, "stands here a second time, first on line %d", line)
			continue
		}
		seen[key.Value] = key.Line
		t, known := typeOf(key.Value)
		if t == nil {
			s.fail(key, below, "unknown key; known are %s", known)
			continue
		}
		s.file.lines[below.id()] = key.Line
		s.value(n.Content[i+1], t, below)
	}
}

// keyProblem says what is wrong with the key of a mapping.
func keyProblem(key *yaml.Node) string {
	switch {
	case key.Kind == yaml.ScalarNode && key.Tag == "!!merge":
		return "has a merge key <<; write the keys out"
	case key.Kind != yaml.ScalarNode || key.Tag != "!!str" || key.Anchor != "" || key.Style&yaml.TaggedStyle != 0:
		return "has a key that is no plain string; put it in quotes"
	case key.Value == "" || len(key.Value) > maxKeyBytes:
		return fmt.Sprintf("has a key of %d bytes; 1 to %d are allowed", len(key.Value), maxKeyBytes)
	}
	if problem := lineProblem(key.Value); problem != "" {
		return "has a key that " + problem
	}
	return ""
}

func (s *shape) sequence(n *yaml.Node, t reflect.Type, path keyPath) {
	if n.Kind != yaml.SequenceNode {
		s.mistyped(n, path, "a list")
		return
	}
	for i, element := range n.Content {
		below := path.element(i)
		s.file.lines[below.id()] = element.Line
		s.value(element, t, below)
	}
}

// setting checks a value whose type only the plugin knows. It must mean the same
// in JSON.
func (s *shape) setting(n *yaml.Node, t reflect.Type, path keyPath) {
	switch {
	case n.Kind == yaml.MappingNode:
		s.mapping(n, path, func(string) (reflect.Type, string) { return t, "" })
	case n.Kind == yaml.SequenceNode:
		s.sequence(n, t, path)
	case slices.Contains([]string{"!!int", "!!float"}, n.Tag):
		if !json.Valid([]byte(n.Value)) {
			s.fail(n, path, "%.80q is not a plain decimal number; put it in quotes if it is a text", n.Value)
		}
	case n.Tag != "!!str" && n.Tag != "!!bool":
		s.fail(n, path, "%.80q would be read as a %s; put it in quotes", n.Value, strings.TrimPrefix(n.Tag, "!!"))
	}
}

func (s *shape) scalar(n *yaml.Node, t reflect.Type, path keyPath) {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		if d, err := time.ParseDuration(n.Value); err != nil || d <= 0 {
			s.mistyped(n, path, "a duration above zero with its unit, such as 10s")
		}
	case t.Kind() == reflect.Bool:
		if n.Tag != "!!bool" {
			s.mistyped(n, path, "true or false")
		}
	case path.String() == "lock_timeout" && (n.Tag == "!!int" || n.Tag == "!!float"):
		// People write seconds without quotes; the text is kept.
	case n.Tag != "!!str":
		s.mistyped(n, path, "a string; put it in quotes if it looks like something else")
	}
}

func (s *shape) mistyped(n *yaml.Node, path keyPath, want string) {
	found := map[yaml.Kind]string{yaml.MappingNode: "a mapping", yaml.SequenceNode: "a list"}[n.Kind]
	if found == "" {
		found = fmt.Sprintf("%.80q", n.Value)
	}
	s.fail(n, path, "must be %s, not %s", want, found)
}
