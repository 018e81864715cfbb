package snapshot

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// otherTypes matches the plain scalars that YAML 1.1 or YAML 1.2 (core schema)
// reads as something else than a string, and those that yaml.v3 does. It is
// compiled by the first process that needs it: most of those that link this
// package never do.
var otherTypes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(otherTypesPattern) })

var otherTypesPattern = `\A(?:` + strings.Join([]string{
	`|~`, strings.Join(otherWords, "|"),
	`[-+]?0[bB][01_]+|[-+]?0[oO][0-7_]+|[-+]?0[xX][0-9a-fA-F_]+`,
	`[-+]?(?:\.[0-9][0-9_]*|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9]+)?`,
	`[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)`,
	`[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?`, // sexagesimal, 1.1
	`[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}` +
		`(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?)?`,
	`<<|=`, // merge and default key, 1.1
}, "|") + `)\z`

// otherWords are those of them that consist of letters.
var otherWords = []string{
	"null", "Null", "NULL", "y", "Y", "yes", "Yes", "YES", "n", "N", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF",
	"true", "True", "TRUE", "false", "False", "FALSE",
}

// readsAsString reports whether YAML, whatever its version, takes a plain scalar
// with this text for a string.
func readsAsString(text string) bool {
	// Commands, IDs and words need no look at the pattern: another type that begins
	// with a letter is one of the words.
	if text != "" && (text[0] == '/' || isLetter(text[0])) {
		return !slices.Contains(otherWords, text)
	}
	return !otherTypes().MatchString(text)
}

// fitsPlain reports whether text can stand behind "key: " without quotes and be
// read back as these characters. It looks at form only, not at types.
func fitsPlain(text string) bool {
	if text == "" || !startsPlain(text[0]) {
		return false
	}
	if strings.Contains(text, ": ") || strings.Contains(text, " #") {
		return false // a nested mapping, a comment
	}
	if last := text[len(text)-1]; last == ' ' || last == ':' {
		return false
	}
	for _, r := range text {
		if needsEscape(r) {
			return false
		}
	}
	return true
}

// startsPlain is narrower than YAML, which gives a meaning to many a first
// character. Names and commands need no more.
func startsPlain(c byte) bool {
	return c == '/' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// needsEscape reports whether YAML forbids or strips r where it stands raw,
// beyond the characters that identity.Line refuses.
func needsEscape(r rune) bool { return r == '\uFEFF' || r == '\uFFFE' || r == '\uFFFF' }

func appendScalar(dst []byte, text string) []byte {
	if fitsPlain(text) && readsAsString(text) {
		return append(dst, text...)
	}
	return appendQuoted(dst, text)
}

func appendQuoted(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case needsEscape(r):
			dst = fmt.Appendf(dst, `\u%04X`, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
