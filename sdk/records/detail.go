package records

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"github.com/stagehook/stagehook/sdk/identity"
)

// The longest texts of a refusal, in bytes. It may quote a stranger's record, or
// a name in a folder.
const (
	maxDetailBytes = 350
	maxPathBytes   = 1024
)

// oneLine makes a text fit on a line and to its limit.
func oneLine(text string, limit int) string {
	return identity.Shorten(identity.Blank(strings.ToValidUTF8(text, "\uFFFD")), limit)
}

// shownPath returns a path as a refusal has it: quoted as in Go where a name holds
// what is refused elsewhere, so that different names stay different.
func shownPath(path string) string {
	if identity.Line("", path) != nil {
		path = strconv.Quote(path)
	}
	return identity.Shorten(path, maxPathBytes)
}

// cause words an error of a file without its path, which the refusal has already.
func cause(path string, err error) string {
	if wrapped, ok := errors.AsType[*fs.PathError](err); ok {
		err = wrapped.Err
	}
	return strings.TrimPrefix(err.Error(), path+" ")
}
