package snapshot

import (
	"bytes"
	"unicode/utf8"
)

// CleanBody returns body as a snapshot can hold it, with U+FFFD for each byte
// that is not part of valid UTF-8 and for each NUL, and whether that changed
// anything. An unchanged body is returned as it is, not copied.
func CleanBody(body []byte) (clean []byte, changed bool) {
	if utf8.Valid(body) && bytes.IndexByte(body, 0) < 0 {
		return body, false
	}
	clean = make([]byte, 0, len(body)+len(body)/4)
	for len(body) > 0 {
		r, size := utf8.DecodeRune(body)
		if r == 0 {
			r = utf8.RuneError
		}
		clean = utf8.AppendRune(clean, r)
		body = body[size:]
	}
	return clean, true
}
