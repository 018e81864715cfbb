package toproto

import (
	"strings"

	"github.com/stagehook/stagehook/sdk/identity"
)

// maxLineBytes bounds one text for people: room for a path of the longest kind
// and words around it.
const maxLineBytes = 4 << 10

// line makes a text for people fit the wire: valid UTF-8, one line of at most
// [maxLineBytes] bytes, nothing in it that steers a terminal. A plugin that
// quotes a broken file must not lose its verdict over that.
func line(text string) string {
	text = identity.Shorten(strings.ToValidUTF8(text, "\uFFFD"), maxLineBytes)
	return strings.TrimSpace(identity.Blank(text))
}

func lines(texts []string) []string {
	var mended []string
	for _, text := range texts {
		mended = append(mended, line(text))
	}
	return mended
}
