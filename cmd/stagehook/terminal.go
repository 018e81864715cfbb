package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"unicode/utf8"
)

// terminal shows the text of strangers, of a snapshot or a plugin, to a person:
// what could steer the terminal or hide something from its reader is written
// out, such as \x1b, \u202e or \U000e0001. What goes to a file or a pipe never
// passes here.
type terminal struct {
	mu   sync.Mutex
	out  io.Writer
	eye  eye
	rest []byte // the beginning of a character whose end is yet to come
}

// shown returns what to write to instead of out: a terminal, or out itself.
func shown(out io.Writer) io.Writer {
	if file, ok := out.(*os.File); ok && isTerminal(file) {
		return &terminal{out: file}
	}
	return out
}

func isShown(out io.Writer) bool {
	_, ok := out.(*terminal)
	return ok
}

// Write shows all of text but the beginning of a character at its end, which
// waits for the rest of the character.
func (t *terminal) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	pending := append(t.rest, text...)
	var visible []byte
	for len(pending) > 0 && utf8.FullRune(pending) {
		visible, pending = t.show(visible, pending)
	}
	t.rest = pending
	if _, err := t.out.Write(visible); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Flush shows what has waited in vain for the rest of its character.
func (t *terminal) Flush() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.rest) == 0 {
		return nil
	}
	var visible []byte
	for len(t.rest) > 0 {
		visible, t.rest = t.show(visible, t.rest)
	}
	_, err := t.out.Write(visible)
	return err
}

// show appends the first character of text to visible, and returns the others.
func (t *terminal) show(visible, text []byte) (more, others []byte) {
	r, size := utf8.DecodeRune(text)
	switch {
	case r == utf8.RuneError && size == 1:
		t.eye.last = 0
		return fmt.Appendf(visible, `\x%02x`, text[0]), text[1:]
	case !t.eye.misses(r):
		return append(visible, text[:size]...), text[size:]
	case r < utf8.RuneSelf:
		return fmt.Appendf(visible, `\x%02x`, r), text[size:]
	case r <= 0xFFFF:
		return fmt.Appendf(visible, `\u%04x`, r), text[size:]
	default:
		return fmt.Appendf(visible, `\U%08x`, r), text[size:]
	}
}
