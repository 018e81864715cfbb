package snapshot

import (
	"strconv"
)

// field is a key of the header with its value.
type field struct {
	key   string
	line  int // where the key stands, from 1
	value value
}

// value is a YAML value: a scalar, a list, or, in neither form, something that no
// field may hold.
type value struct {
	form  form
	text  string  // a scalar's text, unquoted
	items []value // a list's
}

type form int

const (
	formOther  form = iota
	formPlain       // a scalar without quotes: YAML may take it for a number and the like
	formQuoted      // a scalar that is a string for certain
	formList
)

// str returns a string; ok is false when the value is of another type.
func (v value) str() (text string, ok bool) {
	return v.text, v.form == formQuoted || v.form == formPlain && readsAsString(v.text)
}

// integer returns a number that is written in decimal digits only.
func (v value) integer() (n int, ok bool) {
	if v.form != formPlain {
		return 0, false
	}
	n, err := strconv.Atoi(v.text)
	// A sign or a leading zero means another number to some readers.
	return n, err == nil && strconv.Itoa(n) == v.text && n >= 0
}

func (v value) boolean() (b, ok bool) {
	b = v.text == "true"
	return b, v.form == formPlain && (b || v.text == "false")
}

func (v value) null() bool {
	if v.form != formPlain {
		return false
	}
	switch v.text {
	case "", "~", "null", "Null", "NULL":
		return true
	}
	return false
}
