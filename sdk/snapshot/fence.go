package snapshot

import "bytes"

// fence is the code fence that is open at some point of a body; the zero value
// says that none is. It reads Markdown line by line, the way a person does: only
// a delimiter closes a fence, or a line that leaves the fence's block quote.
type fence struct {
	opening []byte // the line that opened it, up to the delimiter's end
	run     int    // the delimiter's length
	quotes  int    // how many block quotes hold it
	column  int    // where the delimiter starts
}

// after returns the fence that is open after line, which f is open before. The
// line comes without its newline and may be the first part of one.
func (f fence) after(line []byte) fence {
	if f.run > 0 {
		lead := readLead(line, f.quotes, false)
		if lead.quotes == f.quotes {
			if f.closedBy(line[lead.end:], lead.column) {
				return fence{}
			}
			return f
		}
	}
	lead := readLead(line, len(line), true)
	run := countRun(line[lead.end:])
	if run < 3 {
		return fence{}
	}
	end := lead.end + run
	// A backtick behind backticks makes it inline code.
	if line[end-1] == '`' && bytes.IndexByte(line[end:], '`') >= 0 {
		return fence{}
	}
	return fence{opening: line[:end], run: run, quotes: lead.quotes, column: lead.column}
}

// closedBy reports whether text, which stands at column, closes f.
func (f fence) closedBy(text []byte, column int) bool {
	run := countRun(text)
	// Four columns further in it would be code.
	return run >= f.run && text[0] == f.opening[len(f.opening)-1] && column < f.column+4 &&
		len(bytes.TrimRight(text[run:], " \t\r")) == 0
}

// closing returns the line that closes f, without its newline: as deep as the
// opening, but without starting a list item again.
func (f fence) closing() []byte {
	line := bytes.Clone(f.opening)
	for i, c := range line[:len(line)-f.run] {
		if c != '>' && c != '\t' {
			line[i] = ' '
		}
	}
	return line
}

// lead is what comes before a line's text: indentation, block quotes, list
// markers.
type lead struct{ end, column, quotes int }

func readLead(line []byte, maxQuotes int, lists bool) lead {
	var l lead
	for l.end < len(line) {
		switch c := line[l.end]; {
		case c == ' ':
			l.column++
		case c == '\t':
			l.column += 4 - l.column%4
		case c == '>' && l.quotes < maxQuotes:
			l.column++
			l.quotes++
		default:
			width := listMarker(line[l.end:])
			if !lists || width == 0 {
				return l
			}
			l.column += width
			l.end += width
			continue
		}
		l.end++
	}
	return l
}

// listMarker returns the length of the list marker that text begins with, such
// as "-" or "12.", 0 when there is none.
func listMarker(text []byte) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	if n == len(text) || n == 0 && bytes.IndexByte([]byte("-+*"), text[0]) < 0 ||
		n > 0 && text[n] != '.' && text[n] != ')' {
		return 0
	}
	n++
	if n == len(text) || text[n] != ' ' && text[n] != '\t' {
		return 0
	}
	return n
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
