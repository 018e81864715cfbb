package records

import (
	"errors"
	"io/fs"
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

// cause words an error of a file without its path, which the refusal has already.
func cause(err error) string {
	if wrapped, ok := errors.AsType[*fs.PathError](err); ok {
		return wrapped.Err.Error()
	}
	return err.Error()
}
