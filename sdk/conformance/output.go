package conformance

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
)

// maxHandshake bounds the first line of a plugin's output. go-plugin would stop
// reading at a long one.
const maxHandshake = 4 << 10

// stdout takes a plugin's standard output: the first line, and the beginning of
// what follows.
type stdout struct {
	line chan string // gets the first line

	mu   sync.Mutex
	text []byte // the first line, while it is not complete
	sent bool
	rest []byte // what follows, cut
	size int    // of all that follows, in bytes
}

// Write never fails: a plugin must not notice what it is read by.
func (o *stdout) Write(data []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	rest := data
	if !o.sent {
		o.text = append(o.text, data...)
		line, after, complete := bytes.Cut(o.text, []byte("\n"))
		if !complete && len(o.text) < maxHandshake {
			return len(data), nil
		}
		o.line <- string(line[:min(len(line), maxHandshake)])
		o.text, o.sent, rest = nil, true, after
	}
	o.size += len(rest)
	o.rest = append(o.rest, rest[:min(len(rest), shownBytes-len(o.rest))]...)
	return len(data), nil
}

// printed is what the processes of a run have printed behind their handshakes.
type printed struct {
	text []byte
	size int
}

func (p *printed) add(o *stdout) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if p.size == 0 {
		p.text = o.rest
	}
	p.size += o.size
}

// tail keeps the end of a plugin's standard error.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// Write never fails.
func (t *tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	const kept = 4 << 10
	t.text = append(t.text, data...)
	t.text = append([]byte(nil), t.text[max(0, len(t.text)-kept):]...)
	return len(data), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}

// said is the last line, for the end of a message.
func (t *tail) said() string {
	text := t.String()
	if text == "" {
		return ""
	}
	return fmt.Sprintf("; it said %.200q", text[strings.LastIndexByte(text, '\n')+1:])
}

// maxDescription bounds what a plugin prints with the argument describe, in bytes.
const maxDescription = 1 << 20

// bounded takes an output of at most [maxDescription], and calls stop beyond that.
type bounded struct {
	stop func()
	text []byte
	over bool
}

func (b *bounded) Write(data []byte) (int, error) {
	if b.over = b.over || len(b.text)+len(data) > maxDescription; b.over {
		b.stop()
		return len(data), nil
	}
	b.text = append(b.text, data...)
	return len(data), nil
}
