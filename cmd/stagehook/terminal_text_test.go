package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// onTerminal returns what a terminal is sent for a text that comes in parts.
func onTerminal(t testing.TB, parts ...string) string {
	t.Helper()
	var out bytes.Buffer
	shown := &terminal{out: &out}
	for _, part := range parts {
		if n, err := shown.Write([]byte(part)); n != len(part) || err != nil {
			t.Errorf("%q: wrote %d, %v", part, n, err)
		}
	}
	if err := shown.Flush(); err != nil {
		t.Error(err)
	}
	return out.String()
}

var terminalTexts = map[string]string{
	"plain\ttext\n": "plain\ttext\n",
	"Кириллица → 日本語 é 🚀 \ue0b0": "Кириллица → 日本語 é 🚀 \ue0b0",
	`a \x1b that was typed`:      `a \x1b that was typed`,

	// What steers a terminal.
	"\x1b[2J\x07\b\x00\x7f":    `\x1b[2J\x07\x08\x00\x7f`,
	"done\rgone\v\f":           `done\x0dgone\x0b\x0c`,
	"\u0080\u0085\u009b31m":    `\u0080\u0085\u009b31m`,
	"\u2028\u2029":             `\u2028\u2029`,
	"a\xffb\xc3(\xe2\x82":      `a\xffb\xc3(\xe2\x82`,
	"\x9b31m":                  `\x9b31m`,
	"\xed\xa0\x80\xc0\x80":     `\xed\xa0\x80\xc0\x80`, // a surrogate, an overlong NUL
	"\xf4\x90\x80\x80\ufffd":   `\xf4\x90\x80\x80` + "\ufffd",
	"a\xe2\x80\u202e":          `a\xe2\x80\u202e`,
	"\xf0\x9f\x9a\xf0\x9f\x9a": `\xf0\x9f\x9a\xf0\x9f\x9a`,

	// What reorders or hides text.
	"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069": `\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069`,
	"\u061c\u200e\u200f":                     `\u061c\u200e\u200f`,
	"\U000e0001\U000e0041\U000e007f":         `\U000e0001\U000e0041\U000e007f`,
	"ad\u200bmin\u2060\ufeff\u00ad":          `ad\u200bmin\u2060\ufeff\u00ad`,
	"\u034f\u115f\u1160\u3164\uffa0\u180e":   `\u034f\u115f\u1160\u3164\uffa0\u180e`,
	"\ufff9hidden\ufffb\U0001d173":           `\ufff9hidden\ufffb\U0001d173`,
	"\U000e0100\ufe00\u180b":                 `\U000e0100\ufe00\u180b`,
	"ad\u200dmin ad\u200cmin \u200d\n\u200d": `ad\u200dmin ad\u200cmin \u200d` + "\n" + `\u200d`,

	// Letters with what joins or parts them in some scripts, or hides a text.
	"می\u200cخواهم क्\u200dष":         `می\u200cخواهم क्\u200dष`,
	"Да\ufe0e\ufe0f\u200c\u200dнет":   `Да\ufe0e\ufe0f\u200c\u200dнет`,
	"日\ufe0f é\u200d →\ufe0f ⚠\u200c": `日\ufe0f é\u200d →\ufe0f ⚠\u200c`,

	// What emoji are made of.
	"👍🏽\u200d♂\ufe0f #\ufe0f *\ufe0e":                     "👍🏽\u200d♂\ufe0f #\ufe0f *\ufe0e",
	"👩\u200d💻 👁\ufe0f\u200d🗨\ufe0f ⚠\ufe0e 1\ufe0f\u20e3": "👩\u200d💻 👁\ufe0f\u200d🗨\ufe0f ⚠\ufe0e 1\ufe0f\u20e3",
	"\u0600\u06dd\u070f": "\u0600\u06dd\u070f",
	"👩\u200d\u200d💻 ⚠\ufe0f\ufe0f a\ufe0f \u3000\u200d": "👩\u200d" + `\u200d💻 ⚠` + "\ufe0f" + `\ufe0f a\ufe0f ` + "\u3000" + `\u200d`,
}

// However a text is cut into writes, a person sees the same.
func TestTerminalWritesOutWhatAPersonWouldMiss(t *testing.T) {
	for text, want := range terminalTexts {
		if got := onTerminal(t, text); got != want {
			t.Errorf("%q: got %q; want %q", text, got, want)
		}
		for cut := range len(text) {
			if got := onTerminal(t, text[:cut], text[cut:]); got != want {
				t.Errorf("%q, cut at %d: got %q; want %q", text, cut, got, want)
			}
		}
		if got := onTerminal(t, strings.Split(text, "")...); got != want {
			t.Errorf("%q, character by character: got %q; want %q", text, got, want)
		}
		bytewise := make([]string, len(text))
		for i := range len(text) {
			bytewise[i] = text[i : i+1]
		}
		if got := onTerminal(t, bytewise...); got != want {
			t.Errorf("%q, byte by byte: got %q; want %q", text, got, want)
		}
	}
}

// No character of those that Unicode calls control, format, separator of lines
// or default ignorable gets through behind a letter of any script, but for those
// that one sees.
func TestTerminalKnowsEveryInvisibleCharacter(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		ignorable := unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Bidi_Control,
			unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
		want := ignorable && r != '\n' && r != '\t' && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
		for _, last := range "aжク" {
			if got := (&eye{last: last}).misses(r); got != want {
				t.Errorf("%U behind %c: missed: %t; want %t", r, last, got, want)
			}
		}
	}
}

// What waits for the rest of its character is not lost, nor shown before.
func TestTerminalWaitsForWholeCharacters(t *testing.T) {
	var out bytes.Buffer
	shown := &terminal{out: &out}
	for _, step := range []struct{ write, want string }{
		{"a\xe2", "a"}, {"\x80", "a"}, {"\xae", `a\u202e`}, {"\xf0\x9f", `a\u202e`}, {"b", `a\u202e\xf0\x9fb`},
	} {
		if _, err := shown.Write([]byte(step.write)); err != nil || out.String() != step.want {
			t.Errorf("after %q: %q, %v; want %q", step.write, out.String(), err, step.want)
		}
	}
}

// The end of a command does not wait any longer.
func TestTerminalIsFlushedAtTheEnd(t *testing.T) {
	var out bytes.Buffer
	code := run([]string{"version"}, nil, io.Discard, &terminal{out: &out, rest: []byte("\xe2\x80")})
	if want := `\xe2\x80`; code != exitOK || out.String() != want {
		t.Errorf("exit code %d, %q; want %q", code, out.String(), want)
	}
}

type fullTerminal struct{}

func (fullTerminal) Write([]byte) (int, error) { return 0, errors.New("no space") }

func TestTerminalReportsAFailedWrite(t *testing.T) {
	shown := &terminal{out: fullTerminal{}}
	if n, err := shown.Write([]byte("x")); n != 0 || err == nil {
		t.Errorf("got %d, %v", n, err)
	}
	_, _ = shown.Write([]byte("\xe2"))
	if err := shown.Flush(); err == nil {
		t.Error("flushed")
	}
}

// JSON is the same JSON, without anything that a person would miss.
func TestJSONWritesOutWhatAPersonWouldMiss(t *testing.T) {
	for text := range terminalTexts {
		for _, indent := range []string{"", "  "} {
			var out bytes.Buffer
			if err := writeJSON(&out, map[string]string{text: text}, indent); err != nil {
				t.Fatal(err)
			}
			if again := onTerminal(t, out.String()); again != out.String() {
				t.Errorf("%q: a terminal shows %q as %q", text, out.String(), again)
			}
			clean := string([]rune(text)) // as the encoder replaces each byte that is not UTF-8
			var got map[string]string
			if err := json.Unmarshal(out.Bytes(), &got); err != nil || got[clean] != clean || len(got) != 1 {
				t.Errorf("%q: %s reads %q, %v", text, out.String(), got, err)
			}
		}
	}
	var out bytes.Buffer
	if err := writeJSON(&out, "<a&b> \u202e\U000e0001\x7f\u0085 é", ""); err != nil ||
		out.String() != `"<a&b> \u202e\udb40\udc01\u007f\u0085 é"`+"\n" {
		t.Errorf("got %s, %v", out.String(), err)
	}
	if err := writeJSON(&out, func() {}, ""); err == nil {
		t.Error("a function was written as JSON")
	}
}

// A message stays on its line: for a program without what the grammar refuses,
// for a person with it.
func TestOneLine(t *testing.T) {
	const text = "a\nb\tc\x1b[2J\u202e\u200bd"
	var out bytes.Buffer
	if got, want := oneLine(&out, text), "a b c [2J \u200bd"; got != want {
		t.Errorf("for a pipe: %q; want %q", got, want)
	}
	if got, want := oneLine(&terminal{out: &out}, text), "a b c\x1b[2J\u202e\u200bd"; got != want {
		t.Errorf("for a terminal: %q; want %q", got, want)
	}
	if got := oneLine(&out, strings.Repeat("é", maxLine)); len(got) > maxLine+len("…") || !utf8.ValidString(got) {
		t.Errorf("a line of %d bytes", len(got))
	}
}
