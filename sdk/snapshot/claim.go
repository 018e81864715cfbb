package snapshot

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// layers are the headings that a session's body must hold.
var layers = [...]string{"## Layer 1", "## Layer 5"}

// checkLayers looks for the headings, which may go on behind the number.
func checkLayers(body []byte) *Problem {
	for _, layer := range layers {
		found := false
		for line := range strings.Lines(string(body)) {
			rest, begins := strings.CutPrefix(line, layer)
			found = found || begins && (rest == "" || !unicode.IsDigit(rune(rest[0])))
		}
		if !found {
			return problem(CodeMissingLayer, "the body holds no heading %q", layer)
		}
	}
	return nil
}

// claim is a word that says something has come off, as a word of its own; the
// underscores of Markdown's emphasis may be around it. Only a process that reads a
// session compiles it.
var claim = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^\pL\pN_])_*(pushed|merged|deployed|green|passing)_*(?:$|[^\pL\pN_])`)
})

// checkClaims holds a session's body to its rule of provenance: a line that claims
// a success says whether that was verified or assumed. The body begins in the given
// line of the file.
func checkClaims(body []byte, first int) *Problem {
	number, unproven, at, word := first-1, 0, 0, ""
	for line := range strings.Lines(string(body)) {
		number++
		if found := unprovenClaim(line); found != "" {
			if unproven++; unproven == 1 {
				at, word = number, found
			}
		}
	}
	switch unproven {
	case 0:
		return nil
	case 1:
		return problem(CodeUnprovenClaim, "line %d says %q without verified: or assumed:", at, word)
	}
	return problem(CodeUnprovenClaim, "line %d says %q without verified: or assumed:, and so do more lines, %d in all", at, word, unproven)
}

// unprovenClaim returns the claim of a line without its provenance. A part that some
// reader takes for a line speaks for itself, as in [Projections].
func unprovenClaim(line string) string {
	for _, part := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(lineBreaks, r) }) {
		if strings.Contains(part, "verified:") || strings.Contains(part, "assumed:") {
			continue
		}
		if found := claim().FindStringSubmatch(part); found != nil {
			return found[1]
		}
	}
	return ""
}
