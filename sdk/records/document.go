package records

import (
	"errors"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/yamldoc"
)

// document reads one record. It remembers the first thing that is wrong, so that
// whoever reads fields can do so one after another and ask at the end.
type document struct {
	grammar *identity.Grammar
	err     error
	missing error // the first key that is; a mistyped one says more, so it comes last
}

func (d *document) lack(line int, key string) {
	if d.missing == nil {
		d.missing = fmt.Errorf("line %d: %s is missing", line, key)
	}
}

func (d *document) fail(line int, format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("line %d: %s", line, fmt.Sprintf(format, args...))
	}
}

// open returns the record in data, as a mapping to read fields from.
func (d *document) open(data []byte) *mapping {
	m := &mapping{doc: d, node: &yaml.Node{Line: 1}}
	d.checkLines(string(data))
	if d.err != nil {
		return m
	}
	root, err := yamldoc.Parse(data)
	if err == nil {
		err = yamldoc.Check(root, data)
	}
	switch {
	case err != nil:
		d.err = err
	case root == nil || root.Kind != yaml.MappingNode:
		d.fail(1, "the record is not a mapping")
	default:
		m.node = root
	}
	return m
}

// checkLines refuses what YAML would take for something else than a reader sees:
// line breaks that only some programs know, characters that are invisible or turn
// the text around, and directives, which begin with a percent sign. A record has
// no use for a block of text with such a line.
func (d *document) checkLines(text string) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if strings.HasPrefix(line, "%") {
			d.fail(number, "directives are not allowed")
		}
		if refused, ok := errors.AsType[*identity.ValueError](identity.Line("", strings.ReplaceAll(line, "\t", " "))); ok {
			d.fail(number, "%s", refused.Detail)
		}
		if at := strings.IndexAny(line, "\uFEFF\uFFFE\uFFFF"); at >= 0 { // a byte order mark, and what is no character
			d.fail(number, "holds the refused character %U", []rune(line[at:])[0])
		}
	}
}
