package runner

import (
	"errors"
	"fmt"
	"strings"

	"github.com/stagehook/stagehook/sdk/identity"
)

// Limits, in bytes, of what a stage may hand over. Of a longer body the rest is
// not read: the writer cuts it to the size of a snapshot anyway. Longer options
// are refused, since a cut one would be another command.
const (
	MaxBodyBytes    = 16 << 20
	MaxOptionsBytes = 256 << 10
)

// ParseOptions reads the text of an options file: one option a line, blank lines
// and a byte order mark at the start skipped. Only blanks and tabs make a line
// blank. What cannot stand in an option, the CR of a CRLF line end among it, is
// refused as an [*identity.ValueError] that names the option and its line.
func ParseOptions(text []byte) ([]string, error) {
	var options []string
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		number++
		option, ended := strings.CutSuffix(line, "\n")
		if strings.Trim(option, " \t") == "" {
			continue
		}
		options = append(options, option)
		err := identity.Line(fmt.Sprintf("options[%d]", len(options)), option)
		var refused *identity.ValueError
		if !errors.As(err, &refused) {
			continue
		}
		refused.Detail = fmt.Sprintf("line %d of the options file %s", number, refused.Detail)
		if bare, found := strings.CutSuffix(option, "\r"); found && ended && identity.Line("", bare) == nil {
			refused.Detail += ", its line end is CRLF"
		}
		return nil, refused
	}
	return options, nil
}
