package exec

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
)

// words returns the command for a task. Its program is absolute or looked up in
// PATH: a relative one would be another program in each workspace.
func words(command []string, task sdk.Task) ([]string, error) {
	words, err := expand(command, task)
	if err != nil {
		return nil, err
	}
	if path := words[0]; path != filepath.Base(path) && !filepath.IsAbs(path) {
		return nil, fmt.Errorf("the helper %q is neither an absolute path nor a name to look up in PATH", path)
	}
	return words, nil
}

// placeholder is compiled when it is needed: all built-ins are one program, and
// what it compiles at its start every hook waits for.
var placeholder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{root\}|\{task\}|\$\{[A-Za-z_][A-Za-z0-9_]*\}`)
})

// expand fills in the placeholders, each once: what a value holds is not looked
// at again. A variable that is unset or empty is an error, since a path with a
// hole in it is another path.
func expand(command []string, task sdk.Task) (words []string, err error) {
	for _, word := range command {
		words = append(words, placeholder().ReplaceAllStringFunc(word, func(found string) string {
			switch found {
			case "{root}":
				return task.Root
			case "{task}":
				return task.ID
			}
			name := strings.Trim(found, "${}")
			value := os.Getenv(name)
			if value == "" {
				err = fmt.Errorf("the helper's command needs the variable %s, which is unset or empty", name)
			}
			return value
		}))
	}
	return words, err
}

// environ is the environment of the program: the plugin's own, which the runner
// has limited already, without what is only between runner and plugin.
func environ() []string {
	list := []string{} // nil would mean everything
	for _, entry := range os.Environ() {
		if !hook.IsProtocolVariable(entry) {
			list = append(list, entry)
		}
	}
	return list
}
