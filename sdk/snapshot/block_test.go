package snapshot

import (
	"encoding/json"
	"strings"
	"testing"
)

// blockAt returns the block that is open at the end of text.
func blockAt(text string) block {
	var open block
	for rest := []byte(text); len(rest) > 0; {
		var line []byte
		line, rest, _ = cutLine(rest)
		open = open.after(line)
	}
	return open
}

// path names the containers and the leaf, the outermost first.
func (b block) path() string {
	var names []string
	for _, container := range b.containers[:b.depth] {
		if container == quote {
			names = append(names, "quote")
		} else {
			names = append(names, "item")
		}
	}
	if leaf := [...]string{"", "paragraph", "fence", "comment"}[b.leaf]; leaf != "" {
		names = append(names, leaf)
	}
	return strings.Join(names, " ")
}

// TestBlocksAreThoseOfCommonMark compares with what commonmark.js 0.31.2, the
// reference implementation, has open at the end of each of some texts, most of them random:
// "item quote fence" is a fence in a quote in a list item.
func TestBlocksAreThoseOfCommonMark(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(read(t, "blocks.txt")), "\n")
	for _, line := range lines {
		want, quoted, _ := strings.Cut(line, "\t")
		var text string
		if err := json.Unmarshal([]byte(quoted), &text); err != nil {
			t.Fatal(line, err)
		}
		if want == "none" {
			want = ""
		}
		got := blockAt(text)
		if got.path() != want {
			t.Errorf("%q: got %q, want %q", text, got.path(), want)
		}
		// After the closing line the fence's containers are open, and no fence.
		if got.leaf == leafFence {
			if !strings.HasSuffix(text, "\n") {
				text += "\n"
			}
			closed := blockAt(text + got.closing())
			if closed.path() != strings.TrimSpace(strings.TrimSuffix(want, "fence")) {
				t.Errorf("%q: closed it is %q", text, closed.path())
			}
		}
	}
	if len(lines) < 200 {
		t.Errorf("only %d texts", len(lines))
	}
}

func TestContainersAreCountedUpToALimit(t *testing.T) {
	for _, container := range []string{">", "- + ", "> 1. "} {
		deep := strings.Repeat(container, 100)
		if got := blockAt(deep + "```\n" + deep); got.depth != maxDepth || got.leaf == leafFence {
			t.Errorf("%q: %+v", container, got)
		}
		// The marker leaves them all.
		if got := blockAt(deep + "```\n" + deep + "\n" + Marker); got.depth != 0 || got.leaf == leafFence {
			t.Errorf("%q and a marker: %+v", container, got)
		}
	}
}
