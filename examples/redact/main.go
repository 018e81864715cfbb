// Redact is a writer that stores no secrets: it wraps the built-in writer, whose
// settings it also takes, and replaces what looks like a secret before anything
// is cut or stored. All else stays byte for byte.
//
// It knows secrets by their form only, so it is a net and no proof.
package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/stagehook/stagehook/plugins/writer"
	"github.com/stagehook/stagehook/sdk"
)

func main() { os.Exit(sdk.Serve(spec())) }

// spec is the built-in writer's with our settings around its own.
func spec() *sdk.Spec {
	s := writer.Spec()
	r := &redact{Settings: s.Settings.(*writer.Settings), Patterns: maps.Clone(defaults), next: s.Writer}
	s.Name, s.Version, s.Settings, s.Writer = "redact", "1.0.0", r, r
	return s
}

// redact holds the plugin's settings, which begin with their defaults.
type redact struct {
	*writer.Settings
	Patterns map[string]string `json:"patterns" jsonschema:"regular expressions (RE2) of secrets by name, besides the built-in ones; where one has a group, the first group is the secret"`

	patterns []pattern
	next     sdk.Writer
}

// Validate compiles the patterns.
func (r *redact) Validate() (err error) {
	if r.patterns, err = compile(r.Patterns); err != nil {
		return err
	}
	return r.Settings.Validate()
}

// Write hands the answer on without its secrets. A command that a pattern has
// changed beyond its form is refused, and nothing is stored.
func (r *redact) Write(ctx context.Context, req *sdk.WriteRequest) (*sdk.WriteResult, error) {
	found := map[string]int{}
	clean := func(text string) string { return string(replace([]byte(text), r.patterns, found)) }
	safe := *req
	safe.Answer.RecommendedNext = clean(req.Answer.RecommendedNext)
	safe.Answer.Options = nil
	for _, option := range req.Answer.Options {
		safe.Answer.Options = append(safe.Answer.Options, clean(option))
	}
	safe.Answer.Body = replace(req.Answer.Body, r.patterns, found)
	if err := safe.Check(); err != nil {
		return nil, sdk.FailIO(err)
	}
	result, err := r.next.Write(ctx, &safe)
	if err == nil && len(found) > 0 {
		result.Warnings = append([]string{warning(found)}, result.Warnings...)
	}
	return result, err
}

func warning(found map[string]int) string {
	var counts []string
	for _, name := range slices.Sorted(maps.Keys(found)) {
		counts = append(counts, fmt.Sprintf("%s (%d)", name, found[name]))
	}
	return "redacted before storing: " + strings.Join(counts, ", ")
}
