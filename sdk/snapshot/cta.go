package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// The CTA block is the menu of next commands that ends a stage's answer: from a
// line "---" to the body's end, with a numbered line for each command. A second
// "---" closes it, but some answers leave that out.

// findCTA returns where the body's CTA block begins: at the last "---" that has
// an option somewhere behind it. What stands in a fence only shows such a block,
// and a body that ends in an open fence has none.
func findCTA(body []byte) (start int, ok bool) {
	var open fence
	rule := -1
	start = -1
	for rest := body; len(rest) > 0; {
		text, next, _ := cutLine(rest)
		open = open.after(text)
		switch {
		case open.open():
		case isRule(text):
			rule = len(body) - len(rest)
		case isOption(text):
			start = rule
		}
		rest = next
	}
	return start, start >= 0 && !open.open()
}

func isRule(line []byte) bool {
	rest, found := bytes.CutPrefix(line, []byte("---"))
	return found && isBlank(rest)
}

// isOption reports whether a line offers a command, as "1. `/dr-do TUNE-0254`"
// does.
func isOption(line []byte) bool {
	l := readLead(line, 0, false)
	text := line[l.end:]
	marker := listMarker(text)
	if l.column >= 4 || marker < len("1.") {
		return false
	}
	return bytes.HasPrefix(bytes.TrimLeft(text[marker:], " \t"), []byte("`/dr-"))
}

// truncateMiddle cuts body, which is no shorter than room, as [truncate] does,
// but before its CTA block: that follows the marker whole, and a second marker
// follows it. The error says why that is not possible.
func truncateMiddle(body []byte, room int, marker string) (cut []byte, err error) {
	start, ok := findCTA(body)
	if !ok {
		return nil, errors.New("no CTA block ends the body")
	}
	var end []byte
	// A line "---" makes a heading of a paragraph above it. A comment, as the
	// default marker, is none.
	if !strings.HasPrefix(marker, "<!--") {
		end = append(end, '\n')
	}
	end = append(end, body[start:]...)
	if !bytes.HasSuffix(end, []byte("\n")) {
		end = append(end, '\n')
	}
	end = append(end, marker...)
	end = append(end, '\n')
	cut, ok = truncate(body[:start], room-len(end), marker)
	if !ok {
		return nil, fmt.Errorf("the CTA block of %d bytes does not fit", len(body)-start)
	}
	return append(cut, end...), nil
}
