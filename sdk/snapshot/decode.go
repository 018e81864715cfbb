package snapshot

import (
	"errors"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/stagehook/stagehook/sdk/yamldoc"
)

// ruleCodes gives the rules of package yamldoc their codes.
var ruleCodes = map[yamldoc.Rule]string{
	yamldoc.RuleOneDocument:  CodeSecondDocument,
	yamldoc.RuleNoAlias:      CodeAnchor,
	yamldoc.RuleNoTag:        CodeTag,
	yamldoc.RuleNoMergeKey:   CodeMergeKey,
	yamldoc.RuleScalarKey:    CodeUnknownKey,
	yamldoc.RuleDuplicateKey: CodeDuplicateKey,
}

// decode reads a header, which begins with its opening fence, as YAML, and lets
// nothing through that a header has no use for: anchors, tags, merge keys, a
// second document, a key that is there twice.
func decode(header []byte) (fields []field, p *Problem) {
	if p := checkSource(strings.Split(string(header), "\n")); p != nil {
		return nil, p
	}
	root, err := yamldoc.Parse(header)
	if err == nil && root != nil {
		err = yamldoc.Check(root, header)
	}
	switch {
	case err != nil:
		var broken *yamldoc.Error
		code := CodeYAML
		if errors.As(err, &broken) && ruleCodes[broken.Rule] != "" {
			code = ruleCodes[broken.Rule]
		}
		return nil, problem(code, "%s", oneLine(err.Error()))
	case root == nil || valueOf(root).null():
		return nil, nil // a header without any field
	case root.Kind != yaml.MappingNode:
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

func fieldsOf(mapping *yaml.Node) ([]field, *Problem) {
	fields := make([]field, 0, len(mapping.Content)/2)
	for i := 0; i < len(mapping.Content); i += 2 {
		key := mapping.Content[i]
		name, ok := valueOf(key).str()
		if !ok {
			return nil, problem(CodeUnknownKey, "line %d: a key is not a string", key.Line)
		}
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
	return strings.Join(strings.Fields(text), " ")
}
