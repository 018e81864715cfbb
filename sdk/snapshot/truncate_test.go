package snapshot

import (
	"bytes"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// filler returns a body of exactly n bytes, made of whole runes of pattern and
// ASCII behind them.
func filler(pattern string, n int) string {
	all := strings.Repeat(pattern, n/len(pattern)+1)
	end := n
	for !utf8.RuneStart(all[end]) {
		end--
	}
	return all[:end] + strings.Repeat("x", n-end)
}

func TestEveryBodyLength(t *testing.T) {
	for _, pattern := range []string{"x", "aя€🚀\n"} {
		for n := 0; n <= 8300; n++ {
			body := filler(pattern, n)
			file, stored := mustRender(t, example(body), RenderOptions{})
			got := mustParse(t, file, expect())
			if !reflect.DeepEqual(got, &stored) {
				t.Fatalf("%d bytes: stored and read differ", n)
			}
			if len(file) > MaxBytes || got.SizeBytes != len(file) {
				t.Fatalf("%d bytes: %d declared, %d real", n, got.SizeBytes, len(file))
			}
			digits := len(strconv.Itoa(len(file)))
			for fewer := 1; fewer < digits; fewer++ {
				if smaller := len(file) - digits + fewer; len(strconv.Itoa(smaller)) == fewer {
					t.Fatalf("%d bytes: %d is a fixed point below %d", n, smaller, len(file))
				}
			}
			if !got.Truncated && string(got.Body) != body {
				t.Fatalf("%d bytes: the body changed", n)
			}
			if got.Truncated {
				checkCut(t, body, got.Body, MaxBytes-len(file))
			}
			if fits := len(file)-len(got.Body)+len("e")+n <= MaxBytes; got.Truncated && fits {
				t.Fatalf("%d bytes: cut although it fits", n)
			}
		}
	}
}

// checkCut checks a body that was cut outside any fence and left unused bytes.
func checkCut(t *testing.T, body string, cut []byte, unused int) {
	t.Helper()
	prefix, found := bytes.CutSuffix(cut, []byte("\n"+Marker+"\n"))
	if !found || !strings.HasPrefix(body, string(prefix)) || !utf8.Valid(prefix) {
		t.Fatalf("%d bytes: cut to %q", len(body), cut)
	}
	if next := body[len(prefix):]; next != "" {
		if _, size := utf8.DecodeRuneInString(next); size <= unused {
			t.Fatalf("%d bytes: %d unused, but the next rune needs %d", len(body), unused, size)
		}
	}
}

func TestEveryCutAroundARune(t *testing.T) {
	for _, rune := range []string{"x", "я", "€", "🚀"} {
		exact := false
		for pad := range 8 {
			body := strings.Repeat("x", 7700+pad) + strings.Repeat(rune, 400)
			file, stored := mustRender(t, example(body), RenderOptions{})
			checkCut(t, body, stored.Body, MaxBytes-len(file))
			exact = exact || len(file) == MaxBytes
		}
		if !exact {
			t.Errorf("%s: a rune that ends exactly at the limit was dropped", rune)
		}
	}
}

func TestMarkerThatWasThereBefore(t *testing.T) {
	for _, c := range []struct {
		tail, configured string
		truncated        bool
	}{
		{Marker + "\n", "", true},
		{Marker, "", true},
		{MarkerRussian + "\n", "", true},
		{"<!-- more -->\n", "<!-- more -->", true},
		{Marker + "\n", "<!-- more -->", true},
		{"<!-- more -->\n", "", false},
		{Marker + "\n\n", "", false},
		{Marker + " \n", "", false},
		{Marker + "\r\n", "", false},
		{" " + Marker + "\n", "", false},
		{"\n", "", false},
	} {
		for _, head := range []string{"", "text\n", strings.Repeat("x", 7700) + "\n", strings.Repeat("x", 9000) + "\n"} {
			file, stored := mustRender(t, example(head+c.tail), RenderOptions{Marker: c.configured})
			want := expect()
			want.Marker = c.configured
			got := mustParse(t, file, want)
			if len(head) > MaxBytes {
				continue
			}
			if string(got.Body) != head+c.tail || stored.Truncated != c.truncated {
				t.Errorf("%q behind %d bytes: truncated %v, body %.80q", c.tail, len(head), stored.Truncated, got.Body)
			}
		}
	}
}

func TestMarkerOfASetting(t *testing.T) {
	const marker = "<!-- снимок обрезан -->"
	file, _ := mustRender(t, example(strings.Repeat("x", 9000)), RenderOptions{Marker: marker, MaxBytes: 1200})
	if !bytes.HasSuffix(file, []byte("x\n"+marker+"\n")) || len(file) != 1200 {
		t.Errorf("%d bytes, ends %q", len(file), file[len(file)-60:])
	}
	if _, p := Parse(file, expect()); p == nil || p.Code != CodeTruncatedMismatch {
		t.Errorf("a reader that does not know the marker says %v", p)
	}
}
