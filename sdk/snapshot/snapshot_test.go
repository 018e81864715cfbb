package snapshot

import "testing"

func TestHasProjection(t *testing.T) {
	const projection = "<!-- research-projection: x -->"
	for before, want := range map[string]bool{
		"":        true,
		"text\n":  true,
		"\n\n":    true,
		"text ":   false,
		"<!-- ":   false,
		"- ":      false,
		"text >":  false,
		"text\t":  false,
		"\\n":     false,
		"a\x85":   false, // no rune at all
		"\uFEFFx": false,
		// behind any line break that some reader knows
		"text\r": true, "text\r\n": true, "text\v": true, "text\f": true, "text\x1c": true, "text\x1d": true,
		"text\x1e": true, "text\u0085": true, "text\u2028": true, "text\u2029": true,
		// indented, quoted, behind what nobody sees
		"  ": true, "text\n\t": true, "text\n \u00A0\u3000": true, "> ": true, "text\n>> > ": true, "- x\n  > ": true,
		"\uFEFF": true, "text\r\uFEFF ": true, "\u200B": true,
		// not the first
		"text " + projection + "\n":        true,
		projection[:len(projection)-1]:     true,
		"text " + projection:               false,
		"text <!-- research-projection:>":  false,
		"text <!-- research-projection:> ": false,
	} {
		for _, after := range []string{"", "\n", " text"} {
			if got := HasProjection([]byte(before + projection + after)); got != want {
				t.Errorf("%q before, %q behind: %v", before, after, got)
			}
		}
	}
	for _, body := range []string{"", "text", "<!-- Research-projection: x -->", "<!-- research-projection", "<!--research-projection:"} {
		if HasProjection([]byte(body)) {
			t.Errorf("%q has a projection", body)
		}
	}
}

func TestPath(t *testing.T) {
	if got := Path("TUNE-0254"); got != "datarim/snapshots/TUNE-0254.snapshot.md" {
		t.Errorf("got %s", got)
	}
}
