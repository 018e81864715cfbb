package snapshot

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"
)

// decode reads a header, which begins with its opening fence, as YAML. It is the
// only door to the YAML library and lets nothing through that a header has no use
// for: anchors, tags, merge keys, a second document, a key that is there twice.
func decode(header []byte) (fields []field, p *Problem) {
	// The library panics on some documents.
	defer func() {
		if cause := recover(); cause != nil {
			fields, p = nil, problem(CodeYAML, "the header is not YAML: %s", oneLine(fmt.Sprint(cause)))
		}
	}()
	lines := strings.Split(string(header), "\n")
	if p := checkSource(lines); p != nil {
		return nil, p
	}
	decoder := yaml.NewDecoder(bytes.NewReader(header))
	var document yaml.Node
	if err := decoder.Decode(&document); err != nil {
		return nil, problem(CodeYAML, "the header is not YAML: %s", oneLine(err.Error()))
	}
	if err := decoder.Decode(new(yaml.Node)); err != io.EOF {
		return nil, problem(CodeSecondDocument, "the header's YAML document ends before the closing fence")
	}
	root := document.Content[0]
	if p := checkNode(root, lines); p != nil {
		return nil, p
	}
	if valueOf(root).null() {
		return nil, nil // a header without any field
	}
	if root.Kind != yaml.MappingNode {
		return nil, problem(CodeNotMapping, "line %d: the header is not a mapping", root.Line)
	}
	return fieldsOf(root)
}

// checkSource refuses, in the header's own lines, what the library would take for
// something else: line breaks that only some readers know, and the ends of
// documents.
func checkSource(lines []string) *Problem {
	for i, line := range lines {
		if at := strings.IndexAny(line, "\u0085\u2028\u2029"); at >= 0 {
			return problem(CodeLineSeparator, "line %d holds the line separator %U", i+1, []rune(line[at:])[0])
		}
		if i == 0 {
			continue // the opening fence
		}
		end := line
		if at := strings.IndexAny(line, " \t"); at >= 0 {
			end = line[:at]
		}
		if end == "..." || end == fenceLine {
			return problem(CodeSecondDocument, "line %d ends the header's YAML document: %q", i+1, line)
		}
	}
	return nil
}

// checkNode refuses anchors, aliases, tags and merge keys, in all of a tree.
func checkNode(node *yaml.Node, lines []string) *Problem {
	switch {
	case node.Kind == yaml.AliasNode || node.Anchor != "":
		return problem(CodeAnchor, "line %d holds an anchor or an alias", node.Line)
	case startsTagged(node, lines):
		return problem(CodeTag, "line %d holds a tag", node.Line)
	}
	for i, child := range node.Content {
		if node.Kind == yaml.MappingNode && i%2 == 0 && child.Tag == "!!merge" {
			return problem(CodeMergeKey, "line %d holds the merge key <<", child.Line)
		}
		if p := checkNode(child, lines); p != nil {
			return p
		}
	}
	return nil
}

// startsTagged reports whether the node's source begins with "!", as only a tag
// does. The library's own mark of a tag misses "!" alone.
func startsTagged(node *yaml.Node, lines []string) bool {
	if node.Line < 1 || node.Line > len(lines) {
		return false
	}
	source := []rune(lines[node.Line-1])
	return node.Column >= 1 && node.Column <= len(source) && source[node.Column-1] == '!'
}

func fieldsOf(mapping *yaml.Node) ([]field, *Problem) {
	fields := make([]field, 0, len(mapping.Content)/2)
	seen := map[string]bool{}
	for i := 0; i < len(mapping.Content); i += 2 {
		key := mapping.Content[i]
		name, ok := valueOf(key).str()
		if !ok {
			return nil, problem(CodeUnknownKey, "line %d: a key is not a string", key.Line)
		}
		if seen[name] {
			return nil, problem(CodeDuplicateKey, "line %d: %q is there already", key.Line, name)
		}
		seen[name] = true
		fields = append(fields, field{key: name, line: key.Line, value: valueOf(mapping.Content[i+1])})
	}
	return fields, nil
}

func valueOf(node *yaml.Node) value {
	switch node.Kind {
	case yaml.ScalarNode:
		if node.Style == 0 {
			return value{form: formPlain, text: node.Value}
		}
		return value{form: formQuoted, text: node.Value}
	case yaml.SequenceNode:
		v := value{form: formList}
		for _, item := range node.Content {
			v.items = append(v.items, valueOf(item))
		}
		return v
	}
	return value{}
}

// oneLine makes the library's text fit into a detail.
func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.TrimPrefix(text, "yaml: ")), " ")
}
