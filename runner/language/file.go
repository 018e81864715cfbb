package language

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"gopkg.in/yaml.v3"

	"github.com/stagehook/stagehook/sdk/workspace"
	"github.com/stagehook/stagehook/sdk/yamldoc"
)

// readWorkspaceFile reads the languages that a file of the workspace names. No
// link is followed there.
func readWorkspaceFile(root, name string) (Languages, error) {
	ws, err := workspace.Open(root)
	if err != nil {
		return Languages{}, err
	}
	defer ws.Close()
	data, _, err := ws.Read(name, maxFileBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return Languages{}, nil
	}
	if err != nil {
		return Languages{}, err
	}
	return parse(data)
}

// readUserFile reads the languages that the user's own file names, which may be
// a link.
func readUserFile(path string) (Languages, error) {
	info, err := os.Stat(path)
	switch {
	case path == "" || errors.Is(err, fs.ErrNotExist):
		return Languages{}, nil
	case err != nil:
		return Languages{}, err
	case !info.Mode().IsRegular():
		return Languages{}, errors.New("is no regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return Languages{}, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFileBytes+1))
	if err != nil {
		return Languages{}, err
	}
	if len(data) > maxFileBytes {
		return Languages{}, fmt.Errorf("is larger than %d bytes", maxFileBytes)
	}
	return parse(data)
}

// parse reads the two tags. The rest of the file is not ours to judge.
func parse(data []byte) (Languages, error) {
	root, err := yamldoc.Parse(data)
	if err != nil {
		return Languages{}, err
	}
	section := yamldoc.Value(root, "language")
	return Languages{
		Replies:   scalar(yamldoc.Value(section, "replies")),
		Artifacts: scalar(yamldoc.Value(section, "artifacts")),
	}, nil
}

// scalar returns a scalar as it is written. A language such as "no" is no
// boolean here.
func scalar(node *yaml.Node) string {
	if node == nil || node.Kind != yaml.ScalarNode || node.Tag == "!!null" {
		return ""
	}
	return node.Value
}
