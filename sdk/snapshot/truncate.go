package snapshot

import (
	"bytes"
	"unicode/utf8"
)

// truncate cuts body, which is valid UTF-8 and no shorter than room, to the
// longest prefix that ends on a whole rune and leaves room for its tail, and
// returns both together. It fails when room is too small for any tail.
func truncate(body []byte, room int, marker string) (cut []byte, ok bool) {
	end := room - len(emptyTail(marker))
	if end < 0 {
		return nil, false
	}
	// A shorter prefix can need a longer tail, so every cut is tried, from the
	// end; the lines remember which fence they begin in.
	lines := linesOf(body[:end])
	for i := len(lines) - 1; i >= 0; i-- {
		for ; end >= lines[i].start; end-- {
			if !utf8.RuneStart(body[end]) {
				continue
			}
			prefix := body[:end]
			if tail := tailOf(prefix, lines[i], marker); end+len(tail) <= room {
				return append(bytes.Clone(prefix), tail...), true
			}
		}
	}
	return nil, false // not reached: the empty prefix fits
}

// line is a line of a body and the fence that is open where it starts.
type line struct {
	start int
	open  fence
}

func linesOf(body []byte) []line {
	lines := make([]line, 1, 1+bytes.Count(body, []byte("\n")))
	for {
		last := lines[len(lines)-1]
		text, rest, ended := cutLine(body[last.start:])
		if !ended {
			return lines
		}
		lines = append(lines, line{start: len(body) - len(rest), open: last.open.after(text)})
	}
}

// tailOf returns what follows a prefix that ends in the line last: a closing
// fence when the cut is inside one, then the marker.
func tailOf(prefix []byte, last line, marker string) []byte {
	open := last.open
	if rest := prefix[last.start:]; len(rest) > 0 {
		text, _, _ := cutLine(rest)
		open = open.after(text)
	}
	if !open.open() {
		return emptyTail(marker)
	}
	var tail []byte
	// Many readers do not take a carriage return for the end of a line.
	if !bytes.HasSuffix(prefix, []byte("\n")) {
		tail = append(tail, '\n')
	}
	tail = append(tail, open.closing()...)
	return append(tail, emptyTail(marker)...)
}

// emptyTail is the tail of a prefix that ends outside any fence.
func emptyTail(marker string) []byte { return []byte("\n" + marker + "\n") }
