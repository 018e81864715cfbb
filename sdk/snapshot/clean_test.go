package snapshot

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCleanBody(t *testing.T) {
	for in, want := range map[string]string{
		"":                     "",
		"слово 🚀\r\n\uFEFF\t":  "слово 🚀\r\n\uFEFF\t",
		"a\xffb":               "a\uFFFDb",
		"a\x00b":               "a\uFFFDb",
		"\uFFFD":               "\uFFFD",
		"\xe2\x82":             "\uFFFD\uFFFD",        // a rune's first two bytes
		"\xed\xa0\x80":         "\uFFFD\uFFFD\uFFFD",  // a surrogate
		"\xff\xfea\x00":        "\uFFFD\uFFFDa\uFFFD", // UTF-16
		"\xf0\x9f\x9a\x80\x80": "🚀\uFFFD",             // one continuation too many
	} {
		got, changed := CleanBody([]byte(in))
		if string(got) != want || changed != (in != want) || !utf8.Valid(got) {
			t.Errorf("%q became %q, %v", in, got, changed)
		}
	}
}

func TestRenderCleansBeforeItMeasures(t *testing.T) {
	file, stored := mustRender(t, example(strings.Repeat("\xff", 8000)), RenderOptions{})
	if !stored.Truncated || len(file) < MaxBytes-2 {
		t.Errorf("%d bytes, truncated %v", len(file), stored.Truncated)
	}
	if got := mustParse(t, file, expect()); !strings.HasPrefix(string(got.Body), "\uFFFD\uFFFD\uFFFD") {
		t.Errorf("body begins %q", got.Body[:9])
	}
}
