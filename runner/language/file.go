package language

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"gopkg.in/yaml.v3"

	"github.com/stagehook/stagehook/sdk/yamldoc"
)

// readFile reads the languages that a Datarim configuration file names. The rest
// of the file is not ours to judge. No file, no languages.
func readFile(path string) (Languages, error) {
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
