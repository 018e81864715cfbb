package snapshot

import (
	"bytes"
	"fmt"
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

// smallestSize returns the size of a file with rest bytes besides the digits of
// size_bytes, by trying one number after the other.
func smallestSize(rest int) int {
	n := rest
	for n != rest+len(strconv.Itoa(n)) {
		n++
	}
	return n
}

func TestSizeIsTheSmallestFixedPoint(t *testing.T) {
	for rest := range 100_100 { // one to six digits
		if got, want := fixedPoint(rest), smallestSize(rest); got != want {
			t.Fatalf("%d bytes and the digits are %d, not %d", rest, want, got)
		}
	}
}

// TestEveryBodyLength renders and reads bodies of all lengths up to beyond the
// cap. Runes of each size matter where bodies are cut: around the cap, and around
// smaller ones, some of which lie where size_bytes gets a digit more.
func TestEveryBodyLength(t *testing.T) {
	for n := range 8300 + 1 {
		checkStored(t, filler("x", n), MaxBytes)
	}
	for _, limit := range []int{512, 999, 1000, 1001, 1002, 1003, 1004, 1024, 4096, MaxBytes} {
		for _, pattern := range []string{"x", "я", "€", "🚀", "aя€🚀\n"} {
			fits := limit - bare(t)
			for n := fits - 10; n <= fits+50; n++ {
				checkStored(t, filler(pattern, n), limit)
			}
			checkStored(t, filler(pattern, 3*limit), limit)
		}
	}
}

// checkStored renders and reads a body that has no fence.
func checkStored(t *testing.T, body string, limit int) {
	t.Helper()
	file, stored := mustRender(t, example(body), RenderOptions{MaxBytes: limit})
	got := mustParse(t, file, expect())
	if !reflect.DeepEqual(got, &stored) {
		t.Fatalf("%d bytes: stored %+v, read %+v", len(body), stored, got)
	}
	rest := len(file) - len(strconv.Itoa(len(file)))
	if len(file) > limit || got.SizeBytes != len(file) || len(file) != smallestSize(rest) {
		t.Fatalf("%d bytes: %d declared, %d real, cap %d", len(body), got.SizeBytes, len(file), limit)
	}
	uncut := rest - len(got.Body) + len(body) + len("e") // false is longer than true
	switch {
	case got.Truncated && smallestSize(uncut) <= limit:
		t.Fatalf("%d bytes: cut although it fits", len(body))
	case got.Truncated:
		checkCut(t, body, got.Body, rest, limit)
	case string(got.Body) != body:
		t.Fatalf("%d bytes: the body changed", len(body))
	}
}

// checkCut checks a body that was cut outside any fence, in a file that has rest
// bytes besides the digits of its size.
func checkCut(t *testing.T, body string, cut []byte, rest, limit int) {
	t.Helper()
	prefix, found := bytes.CutSuffix(cut, []byte("\n"+Marker+"\n"))
	if !found || !strings.HasPrefix(body, string(prefix)) || !utf8.Valid(prefix) {
		t.Fatalf("%d bytes: cut to %q", len(body), cut)
	}
	_, next := utf8.DecodeRuneInString(body[len(prefix):])
	if next > 0 && smallestSize(rest+next) <= limit {
		t.Fatalf("%d bytes: cut to %d, but the next rune fits", len(body), len(prefix))
	}
}

func TestARuneThatEndsExactlyAtTheLimitStays(t *testing.T) {
	for _, limit := range []int{512, 1024, MaxBytes} {
		for _, rune := range []string{"x", "я", "€", "🚀"} {
			for unused := range len(rune) {
				// The last rune that fits ends so many bytes before the limit.
				room := limit - bare(t) - (len(strconv.Itoa(limit)) - 3) - len("\n"+Marker+"\n")
				pad := (room - unused) % len(rune)
				body := strings.Repeat("x", pad) + strings.Repeat(rune, limit)
				file, stored := mustRender(t, example(body), RenderOptions{MaxBytes: limit})
				if len(file) != limit-unused || !strings.HasSuffix(string(stored.Body), rune+"\n"+Marker+"\n") {
					t.Errorf("%s: %d bytes of %d", rune, len(file), limit)
				}
			}
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

// A projection that is cut off cannot have the records checked any more, which the
// writer is told.
func TestProjectionThatIsCutOff(t *testing.T) {
	const projection = ProjectionStart + " task=TUNE-0254 decision=DR-1@2 digest=x -->\n"
	long := strings.Repeat("a", 2*MaxBytes) + "\n"
	for _, test := range []struct {
		body string
		want int
	}{
		{projection + long, 0}, {long + projection, 1}, {projection + long + projection + projection, 2}, {long, 0}, {"short\n" + projection, 0},
	} {
		_, stored, err := Render(Snapshot{Body: []byte(test.body)}, RenderOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if told := strings.Contains(strings.Join(stored.Warnings, "\n"), fmt.Sprintf("cut off, %d of them", test.want)); told != (test.want > 0) {
			t.Errorf("%.20q…: warnings %q; want %d", test.body, stored.Warnings, test.want)
		}
	}
}
