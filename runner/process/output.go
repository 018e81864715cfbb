package process

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"

	"github.com/hashicorp/go-hclog"
)

const (
	// maxLine bounds a kept line of output; the rest of it is dropped.
	maxLine = 4 << 10
	// keptLines and shownBytes bound what of a plugin's standard error goes into
	// a message: enough for a cause, little enough for one line.
	keptLines  = 3
	shownBytes = 400
)

// output takes what a plugin writes to standard error: it forwards each line to
// the log and keeps the last ones for a message.
//
// The lines are a stranger's. go-plugin's own reader trusts the types in JSON log
// lines and panics on others, so it is switched off and this one does the work.
type output struct {
	log hclog.Logger

	mu      sync.Mutex
	partial []byte
	last    []string
	panic   string // the first line of a Go panic, whose last lines tell nothing
}

// Write never fails.
func (o *output) Write(data []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for rest := data; len(rest) > 0; {
		line, after, complete := bytes.Cut(rest, []byte{'\n'})
		if room := maxLine - len(o.partial); room > 0 {
			o.partial = append(o.partial, line[:min(len(line), room)]...)
		}
		rest = after
		if complete {
			o.line(string(o.partial))
			o.partial = o.partial[:0]
		}
	}
	return len(data), nil
}

func (o *output) line(line string) {
	line = strings.TrimSpace(strings.ToValidUTF8(line, "\uFFFD"))
	if line == "" {
		return
	}
	text := o.forward(line)
	if o.panic == "" && (strings.HasPrefix(text, "panic: ") || strings.HasPrefix(text, "fatal error: ")) {
		o.panic = text
	}
	if len(o.last) == keptLines {
		o.last = o.last[1:]
	}
	o.last = append(o.last, text)
}

// forward logs the line and returns its message. A line in hclog's JSON form
// keeps its level and values; any other is logged at debug.
func (o *output) forward(line string) string {
	var fields map[string]any
	if line[0] != '{' || json.Unmarshal([]byte(line), &fields) != nil {
		o.log.Debug(line)
		return line
	}
	message, ok := fields["@message"].(string)
	if !ok {
		o.log.Debug(line)
		return line
	}
	levelName, _ := fields["@level"].(string)
	level := hclog.LevelFromString(levelName)
	if level == hclog.NoLevel {
		level = hclog.Debug
	}
	var values []any
	for key, value := range fields {
		if !strings.HasPrefix(key, "@") {
			values = append(values, key, value)
		}
	}
	o.log.Log(level, message, values...)
	if cause, ok := fields["error"].(string); ok {
		message += ": " + cause
	}
	return message
}

// tail returns the end of the output on one line, empty when there was none.
func (o *output) tail() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	lines := o.last
	if len(o.partial) > 0 {
		lines = append(lines[:len(lines):len(lines)], string(o.partial))
	}
	text := strings.Join(lines, " | ")
	if o.panic != "" {
		text = o.panic
	}
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	return oneLine(text, shownBytes)
}

// oneLine replaces control characters, so that a plugin's output can neither
// break the line nor steer a terminal, and cuts the text to at most limit bytes.
func oneLine(text string, limit int) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text)
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "…"
	}
	return text
}
