package records

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stagehook/stagehook/sdk/identity"
)

func (m *mapping) constant(key, want string) {
	m.formed(key, want, func(text string) bool { return text == want })
}

func (m *mapping) oneOf(key string, words ...string) string {
	return m.formed(key, "one of "+strings.Join(words, ", "), func(text string) bool { return slices.Contains(words, text) })
}

const digestForm = "sha256: and 64 lower-case hex digits"

func (m *mapping) digest(key string) string { return m.formed(key, digestForm, isDigest) }

func (m *mapping) identifier(key string) string { return m.formed(key, nameForm, isName) }

func (m *mapping) taskID(key string) string {
	return m.formed(key, "a task ID", func(text string) bool { return m.doc.grammar.TaskID(text) == nil })
}

// number returns an integer from 1.
func (m *mapping) number(key string) int {
	node := m.needed(key)
	n, ok := parseNumber(m.scalar(node, key, numberForm, "!!int"))
	if !ok && !absent(node) {
		m.doc.fail(node.Line, "%s%s must be %s", m.name, key, numberForm)
	}
	return n
}

const numberForm = "a whole number from 1 to 999999999, in decimal digits"

// parseNumber reads the one spelling that a number has. The limit is below that
// of every machine's integers.
func parseNumber(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 999_999_999 || strconv.Itoa(n) != text {
		return 0, false
	}
	return n, true
}

// time returns an RFC 3339 time, with or without quotes. "T" and "Z" may be in
// lower case, as there.
func (m *mapping) time(key string) time.Time {
	node := m.needed(key)
	at, err := identity.Time(key, m.scalar(node, key, "a time", "!!str", "!!timestamp"))
	if err != nil && !absent(node) {
		m.doc.fail(node.Line, "%s%s must be an RFC 3339 time with a zone", m.name, key)
	}
	return at
}

// identifiers returns a list of different names.
func (m *mapping) identifiers(key string) []string {
	var list []string
	seen := map[string]bool{}
	for i, node := range m.items(key) {
		name := m.scalar(node, fmt.Sprintf("%s[%d]", key, i+1), "a string", "!!str")
		switch {
		case !isName(name):
			m.doc.fail(node.Line, "%s%s[%d] must be %s", m.name, key, i+1, nameForm)
		case seen[name]:
			m.doc.fail(node.Line, "%s%s holds %s twice", m.name, key, name)
		}
		seen[name] = true
		list = append(list, name)
	}
	return list
}

const nameForm = "a letter or digit, then at most 63 letters, digits, dots, underscores or hyphens"

const nameCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"

// isName reports whether text can be an ID, a reference or a scope's name. No
// name leads to another folder.
func isName(text string) bool {
	return text != "" && len(text) <= 64 && strings.IndexByte("._-", text[0]) < 0 && strings.Trim(text, nameCharacters) == ""
}
