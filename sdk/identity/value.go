package identity

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// ValueError says that a named value was refused, before any IO.
type ValueError struct {
	// Field is the value's name in the snapshot header, such as "task_id".
	Field string
	// Detail says what is wrong with it, without the field's name.
	Detail string
}

func (e *ValueError) Error() string { return e.Field + ": " + e.Detail }

// isCommand reports whether text is a bare pipeline command.
func isCommand(text string) bool {
	name, ok := strings.CutPrefix(text, "/dr-")
	return ok && consistsOf(name, commandCharacters)
}

// Command reports whether command is a bare pipeline command, "/dr-" and
// lower-case letters, digits and hyphens.
func Command(command string) error {
	if err := Line("command", command); err != nil {
		return err
	}
	if !isCommand(command) {
		return &ValueError{Field: "command", Detail: fmt.Sprintf("%q must be /dr- and lower-case letters, digits or hyphens", command)}
	}
	return nil
}

// RecommendedNext reports whether next is a command, with or without arguments
// behind one space.
func RecommendedNext(next string) error {
	const field = "recommended_next"
	if err := Line(field, next); err != nil {
		return err
	}
	command, arguments, spaced := strings.Cut(next, " ")
	if !isCommand(command) || spaced && (arguments == "" || arguments[0] == ' ') {
		return &ValueError{Field: field, Detail: fmt.Sprintf("%q must be /dr- and lower-case letters, digits or hyphens, then arguments behind one space", next)}
	}
	return nil
}

// CapturedBy reports whether who is "agent" or "operator".
func CapturedBy(who string) error {
	if err := Line("captured_by", who); err != nil {
		return err
	}
	if who != "agent" && who != "operator" {
		return &ValueError{Field: "captured_by", Detail: fmt.Sprintf("%q must be agent or operator", who)}
	}
	return nil
}

// SessionID reports whether id names a session: "SESSION-", eight digits, a hyphen
// and six digits.
func SessionID(id string) error {
	const field = "session_id"
	if err := Line(field, id); err != nil {
		return err
	}
	number, named := strings.CutPrefix(id, "SESSION-")
	day, second, _ := strings.Cut(number, "-")
	if !named || len(day) != 8 || !consistsOf(day, digits) || len(second) != 6 || !consistsOf(second, digits) {
		return &ValueError{Field: field, Detail: fmt.Sprintf("%q is not of the form SESSION-YYYYMMDD-HHMMSS", id)}
	}
	return nil
}

// timeForm is the form of an RFC 3339 time. [time.Parse] also takes hours of one
// digit, fractions behind a comma and zones of a whole day.
var timeForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$`)
})

// isUsualTime reports whether value has the form in which a snapshot stores a time,
// for which no pattern needs to be compiled.
func isUsualTime(value string) bool {
	const form = "0000-00-00T00:00:00Z"
	if len(value) != len(form) {
		return false
	}
	for i := range len(form) {
		isDigit := value[i] >= '0' && value[i] <= '9'
		if (form[i] == '0') != isDigit || !isDigit && value[i] != form[i] {
			return false
		}
	}
	return true
}

// CapturedAt is [Time] for a snapshot, which stores whole seconds: the rest is cut
// off.
func CapturedAt(value string) (time.Time, error) {
	at, err := Time("captured_at", value)
	return at.Truncate(time.Second), err
}

// Time parses an RFC 3339 time with a zone, the value of field, and returns it in
// UTC. As RFC 3339 allows, "T" and "Z" may be in lower case. A leap second is
// refused: no clock here can tell it.
func Time(field, value string) (time.Time, error) {
	if err := Line(field, value); err != nil {
		return time.Time{}, err
	}
	at, err := time.Parse(time.RFC3339, strings.ToUpper(value))
	if err != nil || !isUsualTime(value) && !timeForm().MatchString(value) {
		return time.Time{}, &ValueError{Field: field, Detail: fmt.Sprintf("%q is not an RFC 3339 time with a zone", value)}
	}
	at = at.UTC()
	// The zone can push the last and the first year out of the four digits that
	// RFC 3339 has room for.
	if at.Year() < 0 || at.Year() > 9999 {
		return time.Time{}, &ValueError{Field: field, Detail: fmt.Sprintf("%q lies outside the years 0000 to 9999 in UTC", value)}
	}
	return at, nil
}

// Line reports whether value can stand on one line of a header: valid UTF-8
// without control characters, line separators and bidirectional overrides. The
// error names the field and the code point.
func Line(field, value string) error {
	for i, r := range value {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(value[i:]); size == 1 {
				return &ValueError{Field: field, Detail: fmt.Sprintf("holds the byte 0x%02X, which is not UTF-8", value[i])}
			}
		}
		if refused(r) {
			return &ValueError{Field: field, Detail: fmt.Sprintf("holds the refused character %U", r)}
		}
	}
	return nil
}

// Shorten cuts valid UTF-8 to at most limit bytes on whole runes, and shows that it
// did.
func Shorten(text string, limit int) string {
	const ellipsis = "…"
	if len(text) <= limit {
		return text
	}
	end := limit - len(ellipsis)
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + ellipsis
}

// Blank replaces what [Line] refuses by blanks, so that a text of a stranger can
// neither break its line nor steer a terminal. The text should be valid UTF-8.
func Blank(text string) string {
	return strings.Map(func(r rune) rune {
		if refused(r) {
			return ' '
		}
		return r
	}, text)
}

func refused(r rune) bool {
	switch {
	case unicode.IsControl(r): // C0, DEL and C1, U+0085 among them
		return true
	case r == '\u2028' || r == '\u2029': // line and paragraph separator
		return true
	case r >= '\u202A' && r <= '\u202E', r >= '\u2066' && r <= '\u2069': // embeddings, overrides, isolates
		return true
	}
	return false
}
