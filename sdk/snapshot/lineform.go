package snapshot

import "bytes"

// The forms of a line's text, behind its indentation of less than four columns.

func startsQuote(text []byte) bool { return len(text) > 0 && text[0] == '>' }

// isHeading reports whether text is a heading of the kind that begins with "#".
func isHeading(text []byte) bool {
	rest := bytes.TrimLeft(text, "#")
	level := len(text) - len(rest)
	return 1 <= level && level <= 6 && startsBlank(rest)
}

// isUnderline reports whether text makes a heading of the paragraph before it.
func isUnderline(text []byte) bool {
	if text[0] != '=' && text[0] != '-' {
		return false
	}
	return isBlank(bytes.TrimLeft(text, string(text[:1])))
}

// isBreak reports whether text is a thematic break, such as "---" or "* * *".
func isBreak(text []byte) bool {
	mark := text[0]
	if mark != '-' && mark != '*' && mark != '_' {
		return false
	}
	marks := 0
	for _, c := range text {
		switch c {
		case mark:
			marks++
		case ' ', '\t':
		default:
			return false
		}
	}
	return marks >= 3
}

// listMarker returns the length of the list marker that text begins with, such
// as "-" or "12.", 0 when there is none.
func listMarker(text []byte) int {
	const maxDigits = 9
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	if n == len(text) || !startsBlank(text[n+1:]) {
		return 0
	}
	switch c := text[n]; {
	case n == 0 && (c == '-' || c == '+' || c == '*'):
	case 0 < n && n <= maxDigits && (c == '.' || c == ')'):
	default:
		return 0
	}
	return n + 1
}

// isOne reports whether a number in decimal digits is 1.
func isOne(number []byte) bool { return string(bytes.TrimLeft(number, "0")) == "1" }

// startsBlank reports whether a word ends before text.
func startsBlank(text []byte) bool { return len(text) == 0 || text[0] == ' ' || text[0] == '\t' }

func isBlank(text []byte) bool { return len(bytes.TrimLeft(text, " \t")) == 0 }
