package snapshot

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

const cta = "---\n\n**Next step — TUNE-0254** (L3, in_progress)\n\n" +
	"1. `/dr-verify TUNE-0254` — **recommended** — one sentence\n2. `/dr-status` — overview\n\n---\n"

func TestKeepCTAOfRealAnswers(t *testing.T) {
	long := read(t, "do-answer-long.md")
	const longBlock = "---\n\n**Next step — INFRA-0042** (L2, in_progress)\n"
	for _, c := range []struct {
		name, body, block string
		limit             int
		cutBehind         string // the kept part's end
	}{
		{"in a table", long, longBlock, MaxBytes, "\n"},
		{"in a fence", long[strings.Index(long, "```yaml"):], longBlock, 3000, "\n```\n"},
		{"Russian", strings.Replace(read(t, "qa-fail-answer.ru.md"), "|---|---|\n", "|---|---|\n"+strings.Repeat("| 4 · Код | не смотрели |\n", 300), 1),
			"---\n\n**QA failed для WEB-0117 — earliest failed layer: Layer 3 (Plan)**\n", MaxBytes, "\n"},
	} {
		file, stored, err := Render(example(c.body), RenderOptions{KeepCTA: true, MaxBytes: c.limit})
		if err != nil || stored.Warnings != nil {
			t.Fatal(c.name, err, stored.Warnings)
		}
		block := c.body[strings.Index(c.body, c.block):]
		head, ok := strings.CutSuffix(string(file), Marker+"\n"+block+Marker+"\n")
		if !ok || !strings.HasSuffix(head, c.cutBehind) || strings.Contains(head, Marker) {
			t.Errorf("%s: ends\n%s", c.name, file[len(file)-1000:])
		}
		if len(file) < c.limit-(utf8.UTFMax-1) || len(file) > c.limit {
			t.Errorf("%s: %d bytes", c.name, len(file))
		}
		if got := mustParse(t, file, expect()); !reflect.DeepEqual(got, &stored.Snapshot) || !got.Truncated {
			t.Errorf("%s: stored %+v, read %+v", c.name, stored, got)
		}
	}
}

func TestWhatACTABlockIs(t *testing.T) {
	for _, c := range []struct{ name, before, block string }{
		{"as it should be", "text\n\n", cta},
		{"all there is", "", cta},
		{"without the closing line", "text\n\n", strings.TrimSuffix(cta, "\n---\n")},
		{"without a newline", "text\n\n", strings.TrimSuffix(cta, "\n")},
		{"blank lines behind it", "text\n\n", cta + "\n \n"},
		{"behind other rules", "a\n\n---\n\nb\n\n---\n\n", cta},
		{"behind an older one", cta + "\ntext\n\n", cta},
		{"right below text", "text\n", cta},
		{"CRLF", "text\r\n\r\n", strings.ReplaceAll(cta, "\n", "\r\n")},
		{"a blank behind the rule", "text\n", "--- \n1. `/dr-do`\n"},
		{"behind a fence", "```\n---\n1. `/dr-no`\n```\n", cta},
		{"behind an item's fence that a line ended", "- ```\ntext\n", cta},
		{"the rule ends the item and its fence", "- ```\n  code\n", cta},
		{"with a fence of its own", "", "---\n1. `/dr-do`\n```\n---\n1. `/dr-no`\n```\n"},
		{"text behind it", "text\n", cta + "Bye.\n"},
		{"indented options", "", "---\n   1.  `/dr-do`\n"},

		{"no rule", "1. `/dr-do`\n", ""},
		{"no option", "---\n\ntext\n\n---\n", ""},
		{"an option without a command", "---\n3. Escalation\n---\n", ""},
		{"another program's command", "---\n1. `/help`\n---\n", ""},
		{"a command without a number", "---\n- `/dr-do`\n---\n", ""},
		{"an option without quotes", "---\n1. /dr-do\n---\n", ""},
		{"an option as code", "---\n    1. `/dr-do`\n---\n", ""},
		{"options before the rule only", "1. `/dr-do`\n\n---\n", ""},
		{"another rule", "***\n1. `/dr-do`\n***\n", ""},
		{"an indented rule", " ---\n1. `/dr-do`\n", ""},
		{"in a fence", "```\n" + cta + "```\n", ""},
		{"in an open fence", "```\n" + cta, ""},
		{"options in a fence", "---\n```\n1. `/dr-do`\n```\n---\n", ""},
		{"in an item's fence", "- ```\n  ---\n  1. `/dr-do`\n", ""},
		{"it ends in an open fence", "---\n1. `/dr-do`\n```\n---\n", ""},
		{"empty", "", ""},
	} {
		start, ok := findCTA([]byte(c.before + c.block))
		if ok != (c.block != "") || ok && start != len(c.before) {
			t.Errorf("%s: %v at %d", c.name, ok, start)
		}
	}
}

func TestKeepCTALayout(t *testing.T) {
	head := strings.Repeat("x", 9000)
	for _, c := range []struct{ name, block, marker, want string }{
		{"whole", cta, Marker, Marker + "\n" + cta + Marker + "\n"},
		{"a newline is added", "---\n1. `/dr-do`", Marker, Marker + "\n---\n1. `/dr-do`\n" + Marker + "\n"},
		{"another comment", cta, "<!-- снимок обрезан -->", "<!-- снимок обрезан -->\n" + cta + "<!-- снимок обрезан -->\n"},
		// Else the marker and the text above it would become a heading.
		{"a marker that is text", cta, "[cut]", "[cut]\n\n" + cta + "[cut]\n"},
	} {
		file, stored := mustRender(t, example(head+"\n"+c.block), RenderOptions{KeepCTA: true, Marker: c.marker})
		kept, found := strings.CutSuffix(string(stored.Body), "x\n"+c.want)
		if !found || strings.Trim(kept, "x") != "" || len(file) != MaxBytes {
			t.Errorf("%s: %d bytes, ends\n%s", c.name, len(file), file[len(file)-300:])
		}
		want := expect()
		want.Marker = c.marker
		mustParse(t, file, want)
	}
}

func TestKeepCTAChangesNothingThatFits(t *testing.T) {
	body := strings.Repeat("x", 7000) + "\n" + cta
	file, stored := mustRender(t, example(body), RenderOptions{KeepCTA: true})
	if plain, _ := mustRender(t, example(body), RenderOptions{}); string(file) != string(plain) || stored.Truncated {
		t.Errorf("%d bytes, truncated %v", len(file), stored.Truncated)
	}
}

func TestKeepCTAFallsBackWithAWarning(t *testing.T) {
	const markers = 2*len(Marker+"\n") + len("\n")
	head := strings.Repeat("x", 9000) + "\n"
	room := MaxBytes - bare(t) - len("0") // size_bytes has four digits
	largest := "---\n1. `/dr-do`" + strings.Repeat(" ", room-markers-len("---\n1. `/dr-do`\n")) + "\n"
	for _, c := range []struct{ name, body, warning string }{
		{"none", head, "no CTA block ends the body, so it was cut at its end"},
		{"too large by a byte", head + largest + "\n", fmt.Sprintf("the CTA block of %d bytes does not fit, so it was cut at its end", len(largest)+1)},
		{"just fits", head + largest, ""},
	} {
		file, stored, err := Render(example(c.body), RenderOptions{KeepCTA: true})
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got := strings.Join(stored.Warnings, "|"); got != c.warning {
			t.Errorf("%s: warned %q, want %q", c.name, got, c.warning)
		}
		plain, _ := mustRender(t, example(c.body), RenderOptions{})
		if (string(file) == string(plain)) != (c.warning != "") {
			t.Errorf("%s: stored %q…", c.name, stored.Body[:100])
		}
	}
}

// TestLongestHeadBeforeACTA is TestLongestPrefix for a cut in the middle. The
// line before the block must not be text, or the rule would make it a heading.
func TestLongestHeadBeforeACTA(t *testing.T) {
	const block = "---\n1. `/dr-do`\n"
	const end = "\n" + Marker + "\n" + block + Marker + "\n"
	random := rand.New(rand.NewPCG(5, 6))
	kept := 0
	for round := range 1500 {
		body := randomBody(random, pieces[round%2]) + randomBody(random, pieces[round%2]) + "\n" + block
		room := len(end) - 1 + random.IntN(60)
		_, stored, err := Render(example(body), RenderOptions{MaxBytes: bare(t) + room, KeepCTA: true})
		if err != nil {
			t.Fatal(err)
		}
		if !stored.Truncated || stored.Warnings != nil {
			continue
		}
		kept++
		if want := longest(body, room, end); string(stored.Body) != want {
			t.Fatalf("%q in %d bytes\ngot  %q\nwant %q", body, room, stored.Body, want)
		}
		before := fenceAt(strings.TrimSuffix(string(stored.Body), block+Marker+"\n"))
		if before.open() {
			t.Fatalf("%q: the block follows %+v", stored.Body, before)
		}
	}
	if kept < 200 {
		t.Errorf("only %d blocks were kept", kept)
	}
}
