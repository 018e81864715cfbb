package exec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
)

const (
	// maxOutput bounds what is read of the program's standard output, in bytes.
	maxOutput = 1 << 20
	// maxComplaint bounds what is kept of its standard error, in bytes.
	maxComplaint = 4 << 10
	// drainTime is how long the program's pipes may stay open after its end: a
	// child of its own may hold them.
	drainTime = 250 * time.Millisecond
)

// run runs the program with input on standard input, in the root, and returns
// what it printed. The error says in a few words what went wrong; the output is
// then still what came before.
//
// The program stays in the plugin's process group. The runner kills that group
// when the plugin ends, and so whatever the program has left behind.
func (p *program) run(ctx context.Context, task sdk.Task, input []byte) ([]byte, error) {
	words, err := expand(p.settings.Command, task)
	if err != nil {
		return nil, err
	}
	path := words[0]
	if path != filepath.Base(path) && !filepath.IsAbs(path) {
		return nil, fmt.Errorf("%q is neither an absolute path nor a name to look up in PATH", path)
	}
	cmd := exec.CommandContext(ctx, path, words[1:]...)
	cmd.Dir = task.Root
	cmd.Env = environ()
	cmd.Stdin = bytes.NewReader(input)
	output, complaint := &limited{max: maxOutput}, &tail{max: maxComplaint}
	cmd.Stdout, cmd.Stderr = output, complaint
	cmd.WaitDelay = drainTime
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("did not answer in time")
	case output.exceeded:
		return nil, fmt.Errorf("printed more than %d bytes", maxOutput)
	// A program need not read its input, and its children may outlive it.
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return output.Bytes(), nil
	}
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("ended with %s", ended)
	}
	if last := complaint.lastLine(); last != "" {
		err = fmt.Errorf("%w: %s", err, last)
	}
	return output.Bytes(), err
}

var placeholder = regexp.MustCompile(`\{root\}|\{task\}|\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

// expand fills in the placeholders, each once: what a value holds is not looked
// at again. A variable that is not set is an error, since a path with a hole in
// it is another path.
func expand(command []string, task sdk.Task) (words []string, err error) {
	for _, word := range command {
		words = append(words, placeholder.ReplaceAllStringFunc(word, func(found string) string {
			switch found {
			case "{root}":
				return task.Root
			case "{task}":
				return task.ID
			}
			name := strings.Trim(found, "${}")
			value := os.Getenv(name)
			if value == "" {
				err = fmt.Errorf("the variable %s is not set", name)
			}
			return value
		}))
	}
	return words, err
}

// environ is the environment of the program: the plugin's own, which the runner
// has limited already, without what is only between runner and plugin.
func environ() []string {
	var list []string
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "PLUGIN_") && !strings.HasPrefix(entry, hook.CookieKey) {
			list = append(list, entry)
		}
	}
	return list
}

// limited keeps what is written to it, up to a limit, and ends the program that
// goes beyond.
type limited struct {
	bytes.Buffer
	max      int
	exceeded bool
}

var errTooMuch = errors.New("too much output")

func (l *limited) Write(p []byte) (int, error) {
	if l.exceeded = l.exceeded || l.Len()+len(p) > l.max; l.exceeded {
		return 0, errTooMuch
	}
	return l.Buffer.Write(p)
}

// tail keeps the end of what is written to it.
type tail struct {
	kept []byte
	max  int
}

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	t.kept = t.kept[max(0, len(t.kept)-t.max):]
	return len(p), nil
}

func (t *tail) lastLine() string {
	text := strings.TrimSpace(strings.ToValidUTF8(string(t.kept), "\uFFFD"))
	return identity.Blank(text[strings.LastIndexByte(text, '\n')+1:])
}
