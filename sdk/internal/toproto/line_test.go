package toproto

import (
	"strings"
	"testing"
	"unicode/utf8"

	protobuf "google.golang.org/protobuf/proto"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

func TestLine(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"plain", "size-mismatch: 6432 declared,  6433 found", "size-mismatch: 6432 declared,  6433 found"},
		{"other scripts", "файл → 文件 👍🏽", "файл → 文件 👍🏽"},
		{"lines", "first\nsecond\r\nthird\n", "first second  third"},
		{"unicode lines", "a\u0085b\u2028c\u2029d", "a b c d"},
		{"terminal", "a\x1b[31mb\x00c\u009bd\x7fe", "a [31mb c d e"},
		{"bidirectional", "a\u202Eb\u2066c", "a b c"},
		{"not UTF-8", "a\xff\xfeb\xc3", "a\uFFFDb\uFFFD"},
		{"blank", " \n\t ", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := line(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLineIsBounded(t *testing.T) {
	whole := strings.Repeat("x", maxLineBytes)
	if got := line(whole); got != whole {
		t.Errorf("a line of exactly the bound became %d bytes", len(got))
	}
	for _, char := range []string{"x", "ж", "文", "👍", "\xff", "\u2028", "\xffx", "👍\xff"} {
		for shift := range 4 {
			got := line(strings.Repeat("y", shift) + strings.Repeat(char, 2*maxLineBytes))
			if len(got) > maxLineBytes || !utf8.ValidString(got) || strings.Contains(got, "\n") {
				t.Errorf("%q shifted by %d: %d bytes, valid %t", char, shift, len(got), utf8.ValidString(got))
			}
			cutAt := len(got) - len("…")
			if char == "文" && (!strings.HasSuffix(got, "…") || cutAt < maxLineBytes-len("…")-utf8.UTFMax) {
				t.Errorf("%q shifted by %d: cut to %d bytes, ends in %q", char, shift, len(got), got[len(got)-8:])
			}
		}
	}
}

// Every text for people is mended on its way, so that no result is lost over a
// byte that is not UTF-8.
func TestTextsForPeopleCanAlwaysBeSent(t *testing.T) {
	const broken = "a\xff\nb"
	for name, m := range map[string]protobuf.Message{
		"write":    WriteResult(&hook.WriteResult{Warnings: []string{broken}}),
		"validate": ValidateResult(&hook.ValidateResult{Problem: &snapshot.Problem{Detail: broken}}),
		"archive":  ArchiveResult(&hook.ArchiveResult{Warnings: []string{"fine", broken}}),
		"observe": ObserveRequest(&hook.ObserveRequest{
			Detail: broken,
			Steps:  []hook.StepReport{{Skipped: broken, Failed: broken}},
		}),
	} {
		if _, err := protobuf.Marshal(m); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := WriteResult(&hook.WriteResult{Warnings: []string{broken}}).GetWarnings()[0]; got != "a\uFFFD b" {
		t.Errorf("got %q", got)
	}
}

// Names are not for mending: another path is another file.
func TestNamesAreNotMended(t *testing.T) {
	if got := Task(hook.Task{Root: "/r\xff"}).GetRoot(); got != "/r\xff" {
		t.Errorf("got %q", got)
	}
}
