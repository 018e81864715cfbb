package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// defaults are the forms of secrets that are safe to take for one wherever they
// stand. A private key whose end is missing goes on as far as it may be one.
var defaults = map[string]string{
	"aws-access-key": `(?:AKIA|ASIA)[A-Z0-9]{16}`,
	"aws-secret-key": `(?i)aws_?secret_?(?:access_?)?key["']?\s*[:=]\s*["']?([a-z0-9/+]{40})`,
	"bearer-token":   `(?i)\bbearer\s+([a-z0-9._~+/=-]{16,})`,
	"github-token":   `(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{36,})`,
	"private-key": `-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----` +
		`(?:(?s:.*?)-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|(?:\s*[A-Za-z0-9+/=:,\\-]+)*)`,
	"url-password": `[a-z]://[^\s/:@]*:([^\s/@]+)@`,
}

// pattern is one form of secrets.
type pattern struct {
	name  string
	form  *regexp.Regexp
	group int // the part of a match that is the secret
}

func compile(forms map[string]string) ([]pattern, error) {
	var patterns []pattern
	for _, name := range slices.Sorted(maps.Keys(forms)) {
		// The name is stored in the secret's place.
		if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return nil, fmt.Errorf("patterns: the name %q must be lower-case letters, digits and hyphens", name)
		}
		form, err := regexp.Compile(forms[name])
		if err != nil {
			return nil, fmt.Errorf("patterns.%s: %w", name, err)
		}
		if form.MatchString("") {
			return nil, fmt.Errorf("patterns.%s: matches everywhere", name)
		}
		patterns = append(patterns, pattern{name, form, min(form.NumSubexp(), 1)})
	}
	return patterns, nil
}

// span is where a secret stands.
type span struct {
	begin, end int
	name       string
}

// replace returns text without its secrets and counts them by name. All patterns
// look at the original: a replacement can so hide no part of another secret, and
// of secrets that overlap nothing is left.
func replace(text []byte, patterns []pattern, found map[string]int) []byte {
	var spans []span
	for _, p := range patterns {
		for _, match := range p.form.FindAllSubmatchIndex(text, -1) {
			if begin, end := match[2*p.group], match[2*p.group+1]; begin < end {
				spans = append(spans, span{begin, end, p.name})
			}
		}
	}
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Compare(a.begin, b.begin) })
	var safe bytes.Buffer
	done := 0
	for _, s := range spans {
		if s.begin >= done {
			safe.Write(text[done:s.begin])
			fmt.Fprintf(&safe, "[redacted %s]", s.name)
			found[s.name]++
		}
		done = max(done, s.end)
	}
	safe.Write(text[done:])
	return safe.Bytes()
}
