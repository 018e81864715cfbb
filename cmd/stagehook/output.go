package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// printJSON prints one JSON object on one line.
func (s *session) printJSON(value any) error {
	encoder := json.NewEncoder(s.out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// warn prints the warnings of an event, one line each.
func (s *session) warn(warnings []string) {
	for _, warning := range warnings {
		fmt.Fprintf(s.err, "stagehook: warning: %s\n", oneLine(warning))
	}
}

// success prints a line for a person: only when a person is there to read it.
func (s *session) success(format string, args ...any) {
	if file, ok := s.out.(*os.File); ok && isTerminal(file) {
		fmt.Fprintf(s.out, format+"\n", args...)
	}
}

func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// oneLine keeps a message on its line, whatever a plugin put into it.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text)
}
