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

// fenceAt returns the fence that is open at the end of text.
func fenceAt(text string) fence {
	var open fence
	for rest := []byte(text); len(rest) > 0; {
		var line []byte
		line, rest, _ = cutLine(rest)
		open = open.after(line)
	}
	return open
}

func TestFenceAtTheCut(t *testing.T) {
	const end = "\n" + Marker + "\n"
	long := strings.Repeat("code\n", 100)
	deep := strings.Repeat("            code\n", 100)
	quoted := strings.Repeat("> > > code\n", 100)
	for _, c := range []struct{ name, before, after, closing string }{
		{"outside", "text", " text\n" + long, ""},
		{"in a fence", "```\ncode", "\n" + long, "\n```"},
		{"in a fence, at a line's end", "```\ncode\n", long, "```"},
		{"in an indented fence", "   ```\ncode\n", long, "```"},
		{"inside the opening line", "```s", "h\n" + long, "\n```"},
		{"inside the delimiter", "text\n``", "`\n" + long, ""},
		{"behind the delimiter", "text\n```", "sh\n" + long, "\n```"},
		{"inside the closing line", "```\ncode\n ", "  ```\n" + long, "\n```"},
		{"behind the closing delimiter", "```\ncode\n```", "\n" + long, ""},
		{"tildes", "~~~ yaml ` \ncode\n```\n", long, "~~~"},
		{"a longer delimiter", "````md\n```\ncode\n```\n", long, "````"},
		{"a shorter one does not close", "`````\n````\n", long, "`````"},
		{"a longer one does", "```\n`````\n", "text\n" + long, ""},
		{"text behind a delimiter does not close", "```\n``` x\n", long, "```"},
		{"inline code", "```not a fence```\n", "text\n" + long, ""},
		{"CRLF", "```\r\ncode\r\n```\r\n", "text\n" + long, ""},
		{"CR", "```\rcode\r", "code\r" + long, "\n```"},
		{"CR, closed", "```\rcode\r```\r", "text\r" + long, ""},
		{"between CR and LF", "```\r\ncode\r", "\ncode\r\n" + long, "\n```"},
		{"in a list item", "- ```sh\n  code\n", deep, "  ```"},
		{"in an ordered item", "12. text\n\n    ```sh\n    code\n", deep, "    ```"},
		{"in an ordered item's first line", "1) ~~~\n   code\n", deep, "   ~~~"},
		{"in an item behind a tab", "-\t```\n\tcode\n", "\t" + deep, "    ```"},
		{"in an item behind a lazy line", "- text\nlazy\n  ```\n", deep, "  ```"},
		{"in an item that begins empty", "-\n  ```\n", deep, "  ```"},
		{"in a nested list", "- a\n  1. b\n\n     ```\n     code\n", deep, "     ```"},
		{"in items on one line", "- 1. + ```\n", deep, "       ```"},
		{"in the second item", "1. a\n2. ```\n", deep, "   ```"},
		{"behind a blank line in an item", "- ```\n\n", deep, "  ```"},
		{"in a list item, closed", "- ```sh\n  code\n  ```\n", "  text\n" + long, ""},
		{"in a block quote", "> ```\n> code\n", quoted, "> ```"},
		{"in a tight block quote", ">```\n>code\n", quoted, "> ```"},
		{"in a list in a quote", "> - ```\n>   code\n", ">   code\n" + quoted, ">   ```"},
		{"in a list in a tight quote", ">- ```\n>   code\n", ">   code\n" + quoted, ">  ```"},
		{"in a quote in a list", "* > ```\n  > co", strings.Repeat("d", 500), "\n> ```"},
		{"in a quote in a quote", ">> ~~~~\n> > co", strings.Repeat("d", 500), "\n> > ~~~~"},
		{"a quote as code", "```\n> ```\n", long, "```"},
		{"a list as code", "```\n- ```\n", long, "```"},
		{"a delimiter as code, four further in", "```\n    ```\n", long, "```"},
		{"a second fence", "```\ncode\n```\ntext\n~~~\n", long, "~~~"},

		// What ends a container ends its fence.
		{"behind an item that a line has left", "- ```\ncode\n", long, ""},
		{"behind an item left by one column", "12. ```\n   code\n", deep, ""},
		{"behind an item left in the cut line", "- ```\n  code\nco", "de\n" + long, ""},
		{"behind the next item", "- ```\n- text\n", deep, ""},
		{"a delimiter that closes nothing any more", "- ```\ncode\n```\n", long, "```"},
		{"a delimiter outside the item", "- ```\n  code\n```\ntext\n", long, "```"},
		{"behind a quote that ended", "> ```\n> code\n\ntext", " text\n" + long, ""},
		{"behind a quote that a line has left", "> ```\ncode\n", long, ""},
		{"behind an empty item and a blank line", "-\n\n  ```\n", deep, "  ```"},

		// What looks like a fence or a container.
		{"indented code", "    ```\n", deep, ""},
		{"indented code in an item", "-     ```\n", deep, ""},
		{"an indented line of a paragraph", "text\n    ```\n", deep, ""},
		{"a thematic break", "- - -\n  ```\n", deep, "```"},
		{"a number too long for a list", "1234567890. ```\n", deep, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			keep := len(c.before) + len(c.closing)
			if prefix, tail := cutInto(t, c.before+c.after, keep); prefix+tail != c.before+c.closing+end {
				t.Errorf("got %q + %q, want %q + %q", prefix, tail, c.before, c.closing+end)
			}
		})
	}
}

// simpleClosing is a second, simple reading of text in which nothing but fences
// has a meaning, as long as no line begins with anything but a letter or a
// delimiter.
func simpleClosing(text string) (closing string) {
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		switch {
		case closing == "":
			closing = openingForm.FindString(line)
		case strings.HasPrefix(line, closing) && strings.Trim(line, closing[:1]) == "":
			closing = ""
		}
	}
	return closing
}

var openingForm = regexp.MustCompile("^(`{3,}|~{3,})")

// pieces are what random bodies are made of; the first set is for a reader of
// fences only.
var pieces = [][]string{
	{"\n```\n", "\n~~~\n", "\n````\n", "\n```sh\n", "\n", "x", "text", "я", "€", "🚀", "\n~~~~~"},
	{"```", "````", "~~~", "``", "`", "```sh", "> ", ">", "- ", "2. ", "  ", "    ", "\t", "\r", "<!--", "-->", "<p>",
		"\n", "\n", "\n", "\n```\n", "\n~~~\n", "x", "text", "я", "€", "🚀", "\n\n", "> ```\n", "- ```\n", ">- ```\n"},
}

func randomBody(random *rand.Rand, pieces []string) string {
	var b strings.Builder
	for range 5 + random.IntN(60) {
		b.WriteString(pieces[random.IntN(len(pieces))])
	}
	return b.String()
}

// longest finds by brute force the longest prefix of body that fits into limit
// bytes together with the closing line it needs, if any, and end.
func longest(body string, limit int, end string) string {
	for k := min(limit-len(end), len(body)); ; k-- {
		if k < len(body) && !utf8.RuneStart(body[k]) {
			continue
		}
		cut := body[:k]
		if open := fenceAt(cut); open.open() {
			if cut[k-1] != '\n' {
				cut += "\n"
			}
			cut += open.closing()
		}
		if cut += end; len(cut) <= limit {
			return cut
		}
	}
}

// bare is the size of the example without a body, truncated.
func bare(t *testing.T) int {
	empty, _ := mustRender(t, example(""), RenderOptions{})
	return len(empty) - len("e")
}

// TestLongestPrefix proves that no longer prefix fits, that the tail is right,
// and that the marker stands outside any fence.
func TestLongestPrefix(t *testing.T) {
	const end = "\n" + Marker + "\n"
	random := rand.New(rand.NewPCG(1, 2))
	inFence := 0
	for round := range 2000 {
		simple := round%2 == 0
		body := randomBody(random, pieces[round%2])
		room := len(end) + random.IntN(120)
		_, stored := mustRender(t, example(body), RenderOptions{MaxBytes: bare(t) + room})
		if !stored.Truncated {
			continue
		}
		if want := longest(body, room, end); string(stored.Body) != want {
			t.Fatalf("%q in %d bytes\ngot  %q\nwant %q", body, room, stored.Body, want)
		}
		before := strings.TrimSuffix(string(stored.Body), Marker+"\n")
		if fenceAt(before).open() || simple && simpleClosing(before) != "" {
			t.Fatalf("%q in %d bytes: the marker is inside a fence: %q", body, room, stored.Body)
		}
		if !strings.HasPrefix(body, strings.TrimSuffix(before, "\n")) {
			inFence++
		}
	}
	if inFence < 400 {
		t.Errorf("only %d cuts were inside a fence", inFence)
	}
}

// A lead of many marks takes no more time, and needs no longer tail, than one of a
// few: a body that could not be cut in time would be lost.
func TestLeadOfManyMarks(t *testing.T) {
	for _, marks := range []string{"- ", ">", "> ", "* + ", "1. ", "- > "} {
		lead := strings.Repeat(marks, 3800/len(marks))
		if closing := fenceAt(lead + "```\n").closing(); len(closing) > 200 {
			t.Fatalf("%q: the closing line has %d bytes", marks, len(closing))
		}
		for _, body := range []string{lead + "```" + strings.Repeat("x", 20_000), strings.Repeat(marks, 1<<20) + "\n\n---\n\n1. `/dr-do`\n\n---\n"} {
			file, stored, err := Render(example(body), RenderOptions{KeepCTA: true})
			if err != nil || len(file) < MaxBytes-10 || fenceAt(strings.TrimSuffix(string(stored.Body), Marker+"\n")).open() {
				t.Errorf("%q: %d bytes, %v", marks, len(file), err)
			}
		}
	}
}

func TestDelimiterLongerThanTheRoom(t *testing.T) {
	body := "text\n" + strings.Repeat("`", 5000) + "\n" + strings.Repeat("code\n", 1000)
	file, stored := mustRender(t, example(body), RenderOptions{})
	if open := fenceAt(string(stored.Body)); open.open() || len(file) > MaxBytes {
		t.Errorf("%d bytes, ends inside %+v", len(file), open)
	}
}
