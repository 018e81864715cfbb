package main

import "testing"

// What the user has typed can be typed again from a hint.
func TestConfigFlagsAreQuotedForAShell(t *testing.T) {
	for value, want := range map[string]string{
		"":                          "",
		"../a_b/C-1.yaml":           "../a_b/C-1.yaml",
		"/x/a:b=c@d%e+f,g-0":        "/x/a:b=c@d%e+f,g-0",
		"two words":                 "'two words'",
		"it's":                      `'it'\''s'`,
		"~/a":                       "'~/a'",
		"a#b":                       "'a#b'",
		"a!b":                       "'a!b'",
		"[a]":                       "'[a]'",
		"{a,b}":                     "'{a,b}'",
		"a\nb":                      "'a\nb'",
		"$(x) `x` \"x\" \\ * ? ; &": "'$(x) `x` \"x\" \\ * ? ; &'",
		"путь":                      "'путь'",
	} {
		s := &session{configFile: value, profile: "datarim-2.67"}
		if value != "" {
			want = " --config " + want
		}
		if got := s.configFlags(); got != want+" --profile datarim-2.67" {
			t.Errorf("%q: got %s", value, got)
		}
	}
}
