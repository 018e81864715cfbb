package runner_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stagehook/stagehook/runner"
	"github.com/stagehook/stagehook/sdk/identity"
)

func TestParseOptions(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                nil,
		"\n \n\t \t\n":                    nil,
		"/dr-do A | x\n":                  {"/dr-do A | x"},
		"/dr-do A | x":                    {"/dr-do A | x"},
		"\n/dr-do\n\n  \n/dr-status | y":  {"/dr-do", "/dr-status | y"},
		" /dr-do | kept as it is \n":      {" /dr-do | kept as it is "},
		"\ufeff/dr-do\n/dr-qa\n":          {"/dr-do", "/dr-qa"},
		"\ufeff\n":                        nil,
		"\ufeff \n\ufeff/dr-do\n":         {"\ufeff/dr-do"}, // only one at the start is a mark
		"\u00a0\n":                        {"\u00a0"},       // no ASCII blank
		"/dr-do | слово → ok\n- x\n---\n": {"/dr-do | слово → ok", "- x", "---"},
	} {
		if got, err := runner.ParseOptions([]byte(text)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %q, %v; want %q", text, got, err, want)
		}
	}
}

// No line is skipped because some library takes it for blank, and the error
// leads to the place in the file.
func TestParseOptionsRefusesWhatAnOptionCannotHold(t *testing.T) {
	for line, want := range map[string]string{
		"\u0085":       "holds the refused character U+0085",
		"\u2028":       "holds the refused character U+2028",
		"\u2029":       "holds the refused character U+2029",
		"\f":           "holds the refused character U+000C",
		"\v":           "holds the refused character U+000B",
		"\x00":         "holds the refused character U+0000",
		"\r":           "holds the refused character U+000D, its line end is CRLF",
		"/dr-do | x\r": "holds the refused character U+000D, its line end is CRLF",
		"/dr-do\r | x": "holds the refused character U+000D",
		"/dr-do\t|\r":  "holds the refused character U+0009",
		"/dr-\u202edo": "holds the refused character U+202E",
		"/dr-do \xff":  "holds the byte 0xFF, which is not UTF-8",
	} {
		text := "/dr-do | first\n\n \t\n" + line + "\n/dr-qa\n"
		options, err := runner.ParseOptions([]byte(text))
		var refused *identity.ValueError
		if !errors.As(err, &refused) || refused.Field != "options[2]" || refused.Detail != "line 4 of the options file "+want || options != nil {
			t.Errorf("%q: got %q, %v; want %s", line, options, err, want)
		}
	}
	// A file in UTF-16 is no list of options.
	if _, err := runner.ParseOptions([]byte("\xff\xfe/\x00d\x00")); err == nil || !strings.Contains(err.Error(), "options[1]: line 1 ") {
		t.Errorf("UTF-16: %v", err)
	}
}
