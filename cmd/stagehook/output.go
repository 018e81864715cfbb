package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/stagehook/stagehook/sdk/identity"
)

// printJSON prints one JSON object on one line.
func (s *session) printJSON(value any) error {
	encoder := json.NewEncoder(s.out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// warn prints the warnings of an event, one line each.
func (s *session) warn(warnings []string) {
	const most = 20
	if len(warnings) > most {
		warnings = append(warnings[:most:most], fmt.Sprintf("and %d more warnings", len(warnings)-most))
	}
	for _, warning := range warnings {
		fmt.Fprintf(s.err, "stagehook: warning: %s\n", oneLine(warning))
	}
}

// success prints a line for a person: only when a person is there to read it.
func (s *session) success(format string, args ...any) {
	if file, ok := s.out.(*os.File); ok && isTerminal(file) {
		fmt.Fprintln(s.out, oneLine(fmt.Sprintf(format, args...)))
	}
}

func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// maxLine bounds a line of output that a plugin has a say in.
const maxLine = 4 << 10

// oneLine keeps a message on its line and within bounds, whatever a plugin put
// into it: what the grammar refuses in a line becomes a blank.
func oneLine(text string) string {
	if len(text) > maxLine {
		text = strings.ToValidUTF8(text[:maxLine], "") + "…"
	}
	return identity.Blank(text)
}
