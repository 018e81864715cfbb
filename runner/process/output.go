package process

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/go-hclog"

	"github.com/stagehook/stagehook/sdk/identity"
)

const (
	// maxLine bounds a kept line of output; the rest of it is dropped. A log line
	// in JSON form may hold a stack.
	maxLine = 64 << 10
	// keptLines and shownBytes bound what of a plugin's standard error goes into
	// a message: enough for a cause, little enough for one line.
	keptLines  = 3
	shownBytes = 400
)

// output takes what a plugin prints: it forwards each line to the log and keeps
// the last ones of standard error for a message.
type output struct {
	log hclog.Logger

	mu     sync.Mutex
	stderr []*stream // whose lines are kept
	last   []string  // of standard error, each fit for a message
	panic  string    // the first line of a Go panic, whose last lines tell nothing
}

// stream cuts one of the ways on which a plugin prints into lines.
type stream struct {
	output  *output
	partial []byte // the line that has not ended yet
}

// fromStdout takes standard output, which is logged only.
func (o *output) fromStdout() io.Writer { return &stream{output: o} }

// fromStderr takes standard error.
func (o *output) fromStderr() io.Writer {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := &stream{output: o}
	o.stderr = append(o.stderr, s)
	return s
}

// Write never fails.
func (s *stream) Write(data []byte) (int, error) {
	s.output.mu.Lock()
	defer s.output.mu.Unlock()
	for rest := data; len(rest) > 0; {
		line, after, complete := bytes.Cut(rest, []byte{'\n'})
		if room := maxLine - len(s.partial); room > 0 {
			s.partial = append(s.partial, line[:min(len(line), room)]...)
		}
		rest = after
		if complete {
			s.line()
		}
	}
	return len(data), nil
}

// line takes the line that has just ended: it logs it and, when it came from
// standard error and tells something, keeps it.
func (s *stream) line() {
	line := strings.TrimSpace(string(s.partial))
	s.partial = s.partial[:0]
	if line == "" {
		return
	}
	o := s.output
	kept := slices.Contains(o.stderr, s)
	if entry, ok := parseLogLine(line); ok {
		o.log.Log(entry.level, entry.message, entry.values...)
		if kept && entry.level >= hclog.Info {
			o.keep(entry.text())
		}
		return
	}
	o.log.Debug(oneLine(line, maxLine))
	if !kept {
		return
	}
	o.keep(line)
	if o.panic == "" && (strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")) {
		o.panic = oneLine(line, shownBytes)
	}
}

func (o *output) keep(text string) {
	if len(o.last) == keptLines {
		o.last = o.last[1:]
	}
	o.last = append(o.last, oneLine(text, shownBytes))
}

// tail returns the end of standard error on one line, empty when there was none:
// the last lines, as many as fit.
func (o *output) tail() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.panic != "" {
		return o.panic
	}
	lines := slices.Clone(o.last)
	for _, s := range o.stderr {
		if partial := oneLine(string(s.partial), shownBytes); partial != "" {
			lines = append(lines, partial)
		}
	}
	text := ""
	for i, line := range slices.Backward(lines) {
		if i == len(lines)-1 {
			text = line
			continue
		}
		if len(line)+len(text) > shownBytes {
			break
		}
		text = line + " | " + text
	}
	return text
}

// oneLine makes a stranger's text valid UTF-8, replaces the characters that could
// break the line or steer a terminal, and cuts it after limit bytes.
func oneLine(text string, limit int) string {
	text = strings.TrimSpace(identity.Blank(strings.ToValidUTF8(text, "\uFFFD")))
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "…"
	}
	return text
}
