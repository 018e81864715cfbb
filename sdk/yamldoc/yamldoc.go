package yamldoc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// MaxDepth bounds how deep a document may nest.
const MaxDepth = 16

// Error says where a document breaks a rule.
type Error struct {
	Line int // from 1; 0 for characters that no document may hold
	// Rule is set when the YAML is well-formed but uses what is not allowed here.
	Rule   Rule
	Detail string // one line, without the position
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Detail
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Detail)
}

// Rule names one of the rules of [Check].
type Rule string

// The rules.
const (
	RuleOneDocument  Rule = "one-document"
	RuleNoAlias      Rule = "no-alias" // nor anchors
	RuleNoTag        Rule = "no-tag"
	RuleNoMergeKey   Rule = "no-merge-key"
	RuleScalarKey    Rule = "scalar-key"
	RuleDuplicateKey Rule = "duplicate-key"
	RuleDepth        Rule = "depth"
)

// Parse returns the root of the one document in data, which must be UTF-8; nil
// when there is none. Errors are of type [*Error]. It does not follow aliases, so
// its cost is linear in the size of data.
func Parse(data []byte) (*yaml.Node, error) {
	if !utf8.Valid(data) {
		return nil, &Error{Detail: "is no valid YAML: not UTF-8"} // the library would read UTF-16, too
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var first, second yaml.Node
	if err := decode(decoder, &first); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		return nil, wrap(err, data)
	}
	if err := decode(decoder, &second); err == nil {
		return nil, &Error{Line: second.Line, Rule: RuleOneDocument, Detail: "a second document begins here"}
	} else if !errors.Is(err, io.EOF) {
		rest := wrap(err, data)
		rest.Rule, rest.Detail = RuleOneDocument, "the document ends before the text does"
		return nil, rest
	}
	if len(first.Content) == 0 {
		return nil, nil
	}
	return first.Content[0], nil
}

// decode turns the library's panics on hostile input into errors.
func decode(decoder *yaml.Decoder, node *yaml.Node) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("yaml: %v", cause)
		}
	}()
	return decoder.Decode(node)
}

// wrap takes the position out of the library's text. The library leaves it out on
// the first line and for an alias to nowhere, and its parser, unlike its scanner,
// counts lines from 0.
func wrap(err error, data []byte) *Error {
	e := &Error{Detail: strings.ReplaceAll(strings.TrimPrefix(err.Error(), "yaml: "), "\n", " ")}
	if n, _ := fmt.Sscanf(e.Detail, "line %d:", &e.Line); n == 1 {
		_, e.Detail, _ = strings.Cut(e.Detail, ": ")
	}
	anchor, isAlias := strings.CutPrefix(e.Detail, "unknown anchor '")
	switch {
	case isAlias:
		anchor, _, _ = strings.Cut(anchor, "'")
		// Behind a blank or a bracket; in quotes it may be something else.
		at := regexp.MustCompile(`(?m)(^|[\s,\[{])\*` + regexp.QuoteMeta(anchor) + `\b`).FindIndex(data)
		if at != nil {
			e.Line = 1 + bytes.Count(data[:at[1]], []byte("\n"))
		}
	case strings.HasPrefix(e.Detail, "control characters"), strings.Contains(e.Detail, "UTF-"):
		// Of the reader, which counts no lines.
	case e.Line == 0 || fromParser(e.Detail):
		e.Line++
	}
	e.Detail = "is no valid YAML: " + e.Detail
	return e
}

// fromParser reports whether the text is one of the library's parser.
func fromParser(detail string) bool {
	expected, ok := strings.CutPrefix(detail, "did not find expected ")
	if !ok {
		return false
	}
	for _, start := range []string{"<document start>", "node", "key", "'-'", "','"} {
		if strings.HasPrefix(expected, start) {
			return true
		}
	}
	return false
}

// Check refuses, as an [*Error], what makes a document hard to read for people
// or other parsers: aliases and anchors, tags, merge keys, keys that are no
// scalars or come twice, and deep nesting. It needs the bytes that [Parse] got,
// since the library forgets some tags.
func Check(root *yaml.Node, data []byte) error {
	if root == nil {
		return nil // an empty document breaks no rule
	}
	var c checker
	if bytes.IndexByte(data, '!') >= 0 {
		text := strings.TrimPrefix(string(data), "\uFEFF") // which has no column
		c.lines = strings.Split(breaks.Replace(text), "\n")
	}
	return c.node(root, 1)
}

// breaks makes every line break that the library counts as one a newline.
var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

type checker struct {
	lines []string // none when no tag can be in them
	// The node looked at last. Nodes come in the order of the text, so the next
	// one of the same line is found from there, and a long line is read once.
	line, column int // as the library counts them, from 1 and in characters
	at           int // of the column, in bytes
}

func (c *checker) node(node *yaml.Node, depth int) error {
	switch {
	case depth > MaxDepth:
		return refuse(node, RuleDepth, "nests deeper than %d levels", MaxDepth)
	case node.Kind == yaml.AliasNode || node.Anchor != "":
		return refuse(node, RuleNoAlias, "aliases and anchors are not allowed")
	case c.tagged(node):
		return refuse(node, RuleNoTag, "tags are not allowed")
	case node.Kind == yaml.MappingNode:
		if err := checkKeys(node); err != nil {
			return err
		}
	}
	for _, child := range node.Content {
		if err := c.node(child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// tagged reports whether the node's source begins with "!", as only a tag does.
// The library's own mark of a tag misses "!" alone.
func (c *checker) tagged(node *yaml.Node) bool {
	if node.Line < 1 || node.Line > len(c.lines) {
		return node.Style&yaml.TaggedStyle != 0
	}
	if node.Line != c.line || node.Column < c.column {
		c.line, c.column, c.at = node.Line, 1, 0
	}
	text := c.lines[node.Line-1]
	for c.column < node.Column && c.at < len(text) {
		_, size := utf8.DecodeRuneInString(text[c.at:])
		c.at += size
		c.column++
	}
	return c.column == node.Column && c.at < len(text) && text[c.at] == '!'
}

func refuse(node *yaml.Node, rule Rule, format string, args ...any) error {
	return &Error{Line: node.Line, Rule: rule, Detail: fmt.Sprintf(format, args...)}
}

func checkKeys(mapping *yaml.Node) error {
	seen := map[string]bool{}
	for i := 0; i < len(mapping.Content); i += 2 {
		key := mapping.Content[i]
		switch {
		case key.Kind != yaml.ScalarNode:
			return refuse(key, RuleScalarKey, "a key must be a plain word")
		case key.Tag == "!!merge":
			return refuse(key, RuleNoMergeKey, "merge keys are not allowed")
		case seen[key.Value]:
			return refuse(key, RuleDuplicateKey, "the key %q comes twice", key.Value)
		}
		seen[key.Value] = true
	}
	return nil
}

// Value returns the value of a key of a mapping, nil when there is none.
func Value(mapping *yaml.Node, key string) *yaml.Node {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}
