package snapshot

import "bytes"

// lead is what comes before a line's text: indentation, the marks of block quotes,
// list markers.
type lead struct {
	end    int // where the text begins
	column int // the column of that: a tab reaches to the next multiple of four
	quotes int
	item   int // the column at which the text of the line's last list item begins; 0 for none
}

// maxMarks bounds how many marks of quotes and lists a line's lead may have. What
// is behind them counts as text, so that the time for a line, and the length of a
// closing line, do not grow with a hostile one.
const maxMarks = 32

func readLead(line []byte, maxQuotes int, lists bool) (l lead) {
	marks := 0
	for l.end < len(line) && marks <= maxMarks {
		switch c := line[l.end]; {
		case c == ' ':
			l.column++
		case c == '\t':
			l.column += tabWidth(l.column)
		case c == '>' && l.quotes < maxQuotes:
			l.column++
			l.quotes++
			marks++
		default:
			width := listMarker(line[l.end:])
			if !lists || width == 0 || isBreak(line[l.end:]) {
				return l
			}
			marks++
			l.end += width
			l.column += width
			l.item = l.column + 1
			if l.end < len(line) && line[l.end] == '\t' {
				l.item = l.column + tabWidth(l.column)
			}
			continue
		}
		l.end++
	}
	return l
}

func tabWidth(column int) int { return 4 - column%4 }

// listMarker returns the length of the list marker that text begins with, such
// as "-" or "12.", 0 when there is none.
func listMarker(text []byte) int {
	const maxDigits = 9
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	marks := ".)"
	if n == 0 {
		marks = "-+*"
	}
	if n > maxDigits || n == len(text) || bytes.IndexByte([]byte(marks), text[n]) < 0 {
		return 0
	}
	n++
	if n < len(text) && text[n] != ' ' && text[n] != '\t' {
		return 0
	}
	return n
}

// isBreak reports whether text is a thematic break, such as "---" or "* * *".
func isBreak(text []byte) bool {
	mark := text[0]
	if mark != '-' && mark != '*' && mark != '_' {
		return false
	}
	marks := bytes.Count(text, []byte{mark})
	return marks >= 3 && len(bytes.Trim(text, string(mark)+" \t")) == 0
}

func isBlank(text []byte) bool { return len(bytes.TrimLeft(text, " \t")) == 0 }

// cutLine cuts text around its first line ending, which for Markdown is a
// newline, a carriage return or both.
func cutLine(text []byte) (line, rest []byte, ended bool) {
	at := bytes.IndexAny(text, "\r\n")
	if at < 0 {
		return text, nil, false
	}
	line, rest = text[:at], text[at+1:]
	if text[at] == '\r' {
		rest = bytes.TrimPrefix(rest, []byte("\n"))
	}
	return line, rest, true
}
