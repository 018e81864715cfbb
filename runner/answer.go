package runner

import "strings"

// Limits of what a stage may hand over. A body is cut to the size of a snapshot
// by the writer; the limit only keeps a runaway pipe from filling the memory.
const (
	MaxBodyBytes    = 16 << 20
	MaxOptionsBytes = 256 << 10
)

// ParseOptions reads the text of an options file: one option a line, blank lines
// skipped.
func ParseOptions(text []byte) []string {
	var options []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.TrimSpace(line) != "" {
			options = append(options, line)
		}
	}
	return options
}
