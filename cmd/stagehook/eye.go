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
// Not missed are the Arabic signs among the format characters, which are visible,
// and what emoji are made of: a presentation (U+FE0E, U+FE0F) behind a symbol of
// the categories So and Sk or behind one of 0-9, # and *, which keycaps begin
// with, and a joiner (U+200D) behind such a symbol or U+FE0F. Behind letters they
// could hide a text, so there they are missed, in Persian and Hindi, too.
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
	joiner  = '\u200D'
	asText  = '\uFE0E'
	asEmoji = '\uFE0F'
)

// belongs reports whether r, which is invisible, is part of an emoji behind last.
func belongs(r, last rune) bool {
	symbol := unicode.In(last, unicode.So, unicode.Sk)
	switch r {
	case joiner:
		return symbol || last == asEmoji
	case asText, asEmoji:
		return symbol || strings.ContainsRune("0123456789#*", last)
	}
	return false
}
