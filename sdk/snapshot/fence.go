package snapshot

import (
	"bytes"
	"strings"
)

// fence is the code fence that is open at some point of a body, if there is one,
// and the list item that the point is in. Of Markdown it knows fences, block
// quotes and list items, which is what decides whether a line of backticks opens
// a fence, closes one, or is text; a number that begins no list, and backticks in
// a comment, it takes for what they look like. The zero value is a body's start.
type fence struct {
	mark   byte // of the delimiter, a backtick or a tilde; 0 when no fence is open
	run    int  // the delimiter's length
	quotes int  // how many block quotes hold the fence
	item   int  // the column at which the text of the innermost list item begins
	blank  bool // the line before is empty
}

// after returns the state after line, which comes without its newline and may be
// the first part of one.
func (f fence) after(line []byte) fence {
	if f.open() {
		l := readLead(line, f.quotes, false)
		text := line[l.end:]
		// What ends its quote or its item ends a fence.
		if l.quotes == f.quotes && (l.column >= f.item || len(text) == 0) {
			// Four columns further in, a delimiter would be code.
			if l.column < f.item+4 && f.closedBy(text) {
				return fence{item: f.item}
			}
			return f
		}
		f = fence{}
	}
	l := readLead(line, len(line), true)
	text := line[l.end:]
	if len(text) == 0 && l.item == 0 {
		return fence{item: f.item, blank: true}
	}
	run := countRun(text)
	// A backtick behind backticks makes it inline code.
	opens := run >= 3 && (text[0] == '~' || bytes.IndexByte(text[run:], '`') < 0)
	// A line that is indented less leaves the item, unless it goes on with the
	// item's paragraph.
	item := max(l.item, f.item)
	if f.blank || opens {
		item = max(l.item, min(f.item, l.column))
	}
	if !opens || l.column >= item+4 {
		return fence{item: item}
	}
	return fence{mark: text[0], run: run, quotes: l.quotes, item: item}
}

func (f fence) open() bool { return f.run > 0 }

func (f fence) closedBy(text []byte) bool {
	run := countRun(text)
	return run >= f.run && text[0] == f.mark && isBlank(text[run:])
}

// closing returns the line that closes the open fence, without its newline: its
// delimiter, as deep in quotes and items as it has to be.
func (f fence) closing() string {
	indent := max(0, f.item-2*f.quotes) // a quote's mark takes two columns
	return strings.Repeat("> ", f.quotes) + strings.Repeat(" ", indent) + strings.Repeat(string(rune(f.mark)), f.run)
}

// countRun returns how many equal backticks or tildes text begins with.
func countRun(text []byte) int {
	if len(text) == 0 || text[0] != '`' && text[0] != '~' {
		return 0
	}
	n := 1
	for n < len(text) && text[n] == text[0] {
		n++
	}
	return n
}
