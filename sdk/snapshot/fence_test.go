package snapshot

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// cutInto renders a body that is cut behind prefix at the latest and returns what
// follows the part of it that was kept.
func cutInto(t *testing.T, body string, keep int) (prefix, tail string) {
	t.Helper()
	file, _ := mustRender(t, example(""), RenderOptions{})
	o := RenderOptions{MaxBytes: len(file) - len("e") + keep + len("\n"+Marker+"\n")}
	_, stored := mustRender(t, example(body), o)
	n := 0
	for n < len(stored.Body) && n < len(body) && stored.Body[n] == body[n] {
		n++
	}
	return body[:n], string(stored.Body[n:])
}

func TestFenceAtTheCut(t *testing.T) {
	const end = "\n" + Marker + "\n"
	long := strings.Repeat("code\n", 100)
	for _, c := range []struct{ name, before, after, closing string }{
		{"outside", "text", " text\n" + long, ""},
		{"in a fence", "```\ncode", "\n" + long, "\n```"},
		{"in a fence, at a line's end", "```\ncode\n", "code\n" + long, "```"},
		{"inside the opening line", "```s", "h\n" + long, "\n```"},
		{"inside the delimiter", "text\n``", "`\n" + long, ""},
		{"behind the delimiter", "text\n```", "sh\n" + long, "\n```"},
		{"inside the closing line", "```\ncode\n ", "  ```\n" + long, "\n```"},
		{"behind the closing delimiter", "```\ncode\n```", "\n" + long, ""},
		{"tildes", "~~~ yaml ` \ncode\n```\n", "code\n" + long, "~~~"},
		{"a longer delimiter", "````md\n```\ncode\n```\n", "code\n" + long, "````"},
		{"a shorter one does not close", "`````\n````\n", "code\n" + long, "`````"},
		{"a longer one does", "```\n`````\n", "text\n" + long, ""},
		{"text behind a delimiter does not close", "```\n``` x\n", "code\n" + long, "```"},
		{"inline code", "```not a fence```\n", "text\n" + long, ""},
		{"CRLF", "```\r\ncode\r\n```\r\n", "text\n" + long, ""},
		{"in a list item", "- ```sh\n  code\n", "  code\n" + long, "  ```"},
		{"in an ordered item", "12. text\n\n    ```sh\n    code\n", "    code\n" + long, "    ```"},
		{"in an ordered item's first line", "1) ~~~\n   code\n", "   code\n" + long, "   ~~~"},
		{"with a tab", "-\t```\n\tcode\n", "\tcode\n" + long, " \t```"},
		{"in a list item, closed", "- ```sh\n  code\n  ```\n", "  text\n" + long, ""},
		{"in a block quote", "> ```\n> code\n", "> code\n" + long, "> ```"},
		{"in a list in a quote", "> - ```\n>   code\n", ">   code\n" + long, ">   ```"},
		{"in a quote in a list", "* > ```\n  > co", strings.Repeat("d", 500), "\n  > ```"},
		{"behind a quote that ended", "> ```\n> code\n\ntext", " text\n" + long, ""},
		{"a quote as code", "```\n> ```\n", "code\n" + long, "```"},
		{"a list as code", "```\n- ```\n", "code\n" + long, "```"},
		{"a delimiter as code, four further in", "```\n    ```\n", "code\n" + long, "```"},
		{"a second fence", "```\ncode\n```\ntext\n~~~\n", "code\n" + long, "~~~"},
	} {
		t.Run(c.name, func(t *testing.T) {
			keep := len(c.before) + len(c.closing)
			if prefix, tail := cutInto(t, c.before+c.after, keep); prefix+tail != c.before+c.closing+end {
				t.Errorf("got %q + %q, want %q + %q", prefix, tail, c.before, c.closing+end)
			}
		})
	}
}

// reference says what must close the fence that is open at the end of text, by
// regular expressions instead of the scanner in fence.go.
func reference(text string) (closing string, open bool) {
	var prefix, delimiter string
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if i > 0 && i == len(lines)-1 && line == "" {
			break // no line at all yet
		}
		if open {
			lead := leadForm.FindString(line)
			quotes := strings.Count(prefix, ">")
			if strings.Count(lead, ">") >= quotes {
				rest := strings.TrimRight(line[len(lead):], " \t\r")
				if strings.Count(lead, ">") == quotes && len(rest) >= len(delimiter) &&
					strings.Trim(rest, delimiter[:1]) == "" && width(lead) < width(prefix)+4 {
					open = false
				}
				continue
			}
			open = false
		}
		if m := openingForm.FindStringSubmatch(line); m != nil {
			prefix, delimiter, open = m[1], m[2]+m[3], true
		}
	}
	return notQuote.ReplaceAllString(prefix, " ") + delimiter, open
}

var (
	leadForm    = regexp.MustCompile(`^[ \t>]*`)
	openingForm = regexp.MustCompile("^((?:[ \t>]|[-+*][ \t]|[0-9]+[.)][ \t])*)(?:(`{3,})[^`]*|(~{3,}).*)$")
	notQuote    = regexp.MustCompile(`[^>\t]`)
)

func width(lead string) int {
	n := 0
	for _, c := range lead {
		if n++; c == '\t' {
			n = (n + 3) / 4 * 4
		}
	}
	return n
}

// TestLongestPrefix proves by brute force that no longer prefix fits, that the
// tail is right, and that the marker stands outside any fence.
func TestLongestPrefix(t *testing.T) {
	pieces := []string{"```", "````", "~~~", "``", "`", "```sh", "> ", ">", "- ", "2. ", "  ", "    ", "\t", "\r",
		"\n", "\n", "\n", "\n```\n", "\n~~~\n", "x", "text", "я", "€", "🚀", "\n\n", "> ```\n", "- ```\n"}
	random := rand.New(rand.NewPCG(1, 2))
	empty, _ := mustRender(t, example(""), RenderOptions{})
	bare := len(empty) - len("e") // truncated: true
	const end = "\n" + Marker + "\n"
	inFence := 0
	for range 20_000 {
		var b strings.Builder
		for range 5 + random.IntN(60) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		body, room := b.String(), random.IntN(120)
		o := RenderOptions{MaxBytes: bare + len(end) + room}
		_, stored := mustRender(t, example(body), o)
		if !stored.Truncated {
			continue
		}
		want := ""
		for k := min(room, len(body)); want == ""; k-- {
			if k < len(body) && !utf8.RuneStart(body[k]) {
				continue
			}
			prefix := body[:k]
			tail := end
			if closing, open := reference(prefix); open {
				if !strings.HasSuffix(prefix, "\n") {
					prefix += "\n"
				}
				tail = closing + tail
			}
			if len(prefix)+len(tail) <= room+len(end) {
				want = prefix + tail
			}
		}
		if string(stored.Body) != want {
			t.Fatalf("%q in %d bytes\ngot  %q\nwant %q", body, room, stored.Body, want)
		}
		before := strings.TrimSuffix(string(stored.Body), Marker+"\n")
		if _, open := reference(before); open {
			t.Fatalf("%q in %d bytes: the marker is inside a fence: %q", body, room, stored.Body)
		}
		if !strings.HasPrefix(body, strings.TrimSuffix(before, "\n")) {
			inFence++
		}
	}
	if inFence < 1000 {
		t.Errorf("only %d cuts were inside a fence", inFence)
	}
}

func TestDelimiterLongerThanTheRoom(t *testing.T) {
	body := "text\n" + strings.Repeat("`", 5000) + "\n" + strings.Repeat("code\n", 1000)
	file, stored := mustRender(t, example(body), RenderOptions{})
	closing, open := reference(strings.TrimSuffix(string(stored.Body), Marker+"\n"))
	if open || len(file) > MaxBytes {
		t.Errorf("%d bytes, ends inside %.20q", len(file), closing)
	}
}
