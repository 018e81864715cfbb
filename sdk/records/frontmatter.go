package records

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/stagehook/stagehook/sdk/yamldoc"
)

// frontRevisions returns the values that a file's front matter gives the key
// revision: none or one, unless the key comes twice. The front matter is what
// stands between a first line "---" and the next one. It is somebody else's YAML:
// it may use whatever it likes, but must be readable, since a revision could hide
// in it. The start of a file that goes on is enough if the front matter ends in it.
func frontRevisions(start []byte, goesOn bool) (revisions []string, err error) {
	start = bytes.TrimPrefix(start, []byte("\uFEFF"))
	if !bytes.HasPrefix(start, []byte("---")) {
		return nil, nil
	}
	lines := strings.Split(string(start), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\r")
	}
	end := slices.IndexFunc(lines[1:], func(line string) bool { return line == "---" || line == "..." })
	switch {
	case lines[0] != "---", end < 0 && !goesOn:
		return nil, nil
	case end < 0:
		return nil, fmt.Errorf("does not end in the first %d bytes", maxRecordBytes)
	}
	root, err := yamldoc.Parse([]byte(strings.Join(lines[:1+end], "\n") + "\n"))
	if err != nil || root == nil || root.Kind != yaml.MappingNode {
		return nil, err
	}
	for i := 0; i < len(root.Content); i += 2 {
		if root.Content[i].Value != "revision" {
			continue
		}
		if value := root.Content[i+1]; value.Kind == yaml.ScalarNode {
			revisions = append(revisions, value.Value)
		} else {
			revisions = append(revisions, "no number")
		}
	}
	return revisions, nil
}
