package main

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// eye reads a text character after character, as a person at a terminal does.
type eye struct {
	last rune // the character before, 0 for none and for one that was missed
}

// misses reports whether a person would miss the next character r: a control
// character other than newline and tab, a line or paragraph separator, and
// whatever is invisible or reorders its neighbours, which Unicode calls format
// characters, default ignorable and variation selectors.
//
// What ordinary text needs of them is not missed: the Arabic signs among the
// format characters, which are visible, a joiner or the presentation of an emoji
// behind any visible character beyond ASCII, and the presentation behind those
// that keycaps are made of. Two in a row, or behind an ASCII letter, change
// nothing visible.
func (e *eye) misses(r rune) bool {
	last := e.last
	e.last = r
	if r == '\n' || r == '\t' || isSeen(r) || belongs(r, last) {
		return false
	}
	e.last = 0
	return true
}

func isSeen(r rune) bool {
	if r < utf8.RuneSelf {
		return !unicode.IsControl(r)
	}
	if unicode.Is(unicode.Cf, r) {
		return unicode.Is(unicode.Prepended_Concatenation_Mark, r)
	}
	return !unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

const (
	nonJoiner = '\u200C'
	joiner    = '\u200D'
	asText    = '\uFE0E'
	asEmoji   = '\uFE0F'
)

// belongs reports whether r, which is invisible, has a use behind last.
func belongs(r, last rune) bool {
	visible := last >= utf8.RuneSelf && isSeen(last) && !unicode.IsSpace(last)
	switch r {
	case nonJoiner, joiner:
		return visible || last == asEmoji
	case asText, asEmoji:
		return visible || last != 0 && strings.ContainsRune("0123456789#*", last) // keycaps
	}
	return false
}
