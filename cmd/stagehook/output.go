package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stagehook/stagehook/sdk/identity"
)

// printJSON prints one JSON object on one line.
func (s *session) printJSON(value any) error { return writeJSON(s.out, value, "") }

// writeJSON writes one JSON value. Whatever a person would miss on a terminal is
// escaped, wherever it goes: to a program it is the same JSON.
func writeJSON(out io.Writer, value any, indent string) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	var visible []byte
	var eye eye
	// Outside of strings JSON has nothing to miss, and the encoder has made the
	// strings valid UTF-8.
	for _, r := range text.String() {
		switch high, low := utf16.EncodeRune(r); {
		case !eye.misses(r):
			visible = utf8.AppendRune(visible, r)
		case r <= 0xFFFF:
			visible = fmt.Appendf(visible, `\u%04x`, r)
		default:
			visible = fmt.Appendf(visible, `\u%04x\u%04x`, high, low)
		}
	}
	_, err := out.Write(visible)
	return err
}

// flush shows what is left of the output to terminals.
func (s *session) flush() {
	for _, out := range []io.Writer{s.out, s.err} {
		if t, ok := out.(*terminal); ok {
			_ = t.Flush() // there is nobody left to tell
		}
	}
}

// warn prints the warnings of an event, one line each.
func (s *session) warn(warnings []string) {
	const most = 20
	if len(warnings) > most {
		warnings = append(warnings[:most:most], fmt.Sprintf("and %d more warnings", len(warnings)-most))
	}
	for _, warning := range warnings {
		fmt.Fprintf(s.err, "stagehook: warning: %s\n", oneLine(s.err, warning))
	}
}

// success prints a line for a person: only when a person is there to read it.
func (s *session) success(format string, args ...any) {
	if isShown(s.out) {
		fmt.Fprintln(s.out, oneLine(s.out, fmt.Sprintf(format, args...)))
	}
}

// maxLine bounds a line of output that a plugin has a say in.
const maxLine = 4 << 10

// oneLine keeps a message on its line and within bounds, whatever a plugin put
// into it. What the grammar refuses in a line becomes a blank; a terminal shows
// it.
func oneLine(out io.Writer, text string) string {
	if len(text) > maxLine {
		text = strings.ToValidUTF8(text[:maxLine], "") + "…"
	}
	if isShown(out) {
		return strings.NewReplacer("\n", " ", "\t", " ").Replace(text)
	}
	return identity.Blank(text)
}
