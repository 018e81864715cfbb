package records

import (
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/yamldoc"
)

// mapping reads the keys of one mapping of a record. The methods named after a
// type return a key's value, and its zero value after any failure. A key is
// needed unless the method's name says otherwise.
type mapping struct {
	doc  *document
	node *yaml.Node
	name string // of the mapping with a dot, empty for the record itself
	used []string
}

// value returns the node of a key, nil when it is absent.
func (m *mapping) value(key string) *yaml.Node {
	m.used = append(m.used, key)
	return yamldoc.Value(m.node, key)
}

func (m *mapping) needed(key string) *yaml.Node {
	node := m.value(key)
	if node == nil {
		m.doc.lack(m.node.Line, m.name+key)
		return &yaml.Node{}
	}
	return node
}

// absent reports whether a node stands for a key that is missing.
func absent(node *yaml.Node) bool { return node.Kind == 0 }

// finish refuses the keys that nobody has read.
func (m *mapping) finish() {
	for i := 0; i < len(m.node.Content) && m.node.Kind == yaml.MappingNode; i += 2 {
		if key := m.node.Content[i]; !slices.Contains(m.used, key.Value) {
			m.doc.fail(key.Line, "unknown key %s%s", m.name, key.Value)
			return
		}
	}
}

func (m *mapping) has(key string) bool { return yamldoc.Value(m.node, key) != nil }

// scalar returns a key's text if its YAML type is one of those given.
func (m *mapping) scalar(node *yaml.Node, key, what string, tags ...string) string {
	if node.Kind == yaml.ScalarNode && slices.Contains(tags, node.ShortTag()) {
		return node.Value
	}
	if absent(node) {
		return ""
	}
	m.doc.fail(node.Line, "%s%s must be %s", m.name, key, what)
	return ""
}

// text returns a string of one line.
func (m *mapping) text(key string) string {
	node := m.needed(key)
	text := m.scalar(node, key, "a string", "!!str")
	if err := identity.Line(m.name+key, text); err != nil {
		m.doc.fail(node.Line, "%s", err)
		return ""
	}
	if text == "" && !absent(node) {
		m.doc.fail(node.Line, "%s%s is empty", m.name, key)
	}
	return text
}

// prose is a string for people, which may have several lines.
func (m *mapping) prose(key string) { m.scalar(m.needed(key), key, "a string", "!!str") }

// formed returns a string of a given form.
func (m *mapping) formed(key, form string, ok func(string) bool) string {
	text := m.text(key)
	if !ok(text) && m.has(key) {
		m.doc.fail(m.line(key), "%s%s must be %s", m.name, key, form)
		return ""
	}
	return text
}

func (m *mapping) line(key string) int {
	if node := yamldoc.Value(m.node, key); node != nil {
		return node.Line
	}
	return m.node.Line
}

func (m *mapping) items(key string) []*yaml.Node {
	node := m.needed(key)
	if node.Kind != yaml.SequenceNode && !absent(node) {
		m.doc.fail(node.Line, "%s%s must be a list", m.name, key)
		return nil
	}
	return node.Content
}

// mapping returns a mapping below a key, to read fields from.
func (m *mapping) mapping(key string) *mapping {
	return m.below(m.needed(key), key)
}

func (m *mapping) below(node *yaml.Node, name string) *mapping {
	switch {
	case absent(node): // its own keys are not missing as well
		return &mapping{doc: &document{grammar: m.doc.grammar}, node: node, name: m.name + name + "."}
	case node.Kind != yaml.MappingNode:
		m.doc.fail(node.Line, "%s%s must be a mapping", m.name, name)
		node = &yaml.Node{Line: node.Line}
	}
	return &mapping{doc: m.doc, node: node, name: m.name + name + "."}
}

// mappings returns the mappings of a list whose field id tells them apart. Who
// reads the others must finish them.
func (m *mapping) mappings(key string) []*mapping {
	var list []*mapping
	seen := map[string]bool{}
	for i, node := range m.items(key) {
		item := m.below(node, fmt.Sprintf("%s[%d]", key, i+1))
		id := item.identifier("id")
		if seen[id] {
			m.doc.fail(node.Line, "%s holds the id %s twice", key, id)
		}
		seen[id] = true
		list = append(list, item)
	}
	return list
}
