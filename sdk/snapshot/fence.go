package snapshot

import (
	"bytes"
	"strings"
)

// fence is an open code fence.
type fence struct {
	mark byte // of its delimiter, a backtick or a tilde
	run  int  // the delimiter's length
}

// opensFence opens the fence that text begins, if it does.
func (b *block) opensFence(text []byte) bool {
	run := countRun(text)
	// A backtick behind backticks makes it inline code.
	if run < 3 || text[0] == '`' && bytes.IndexByte(text[run:], '`') >= 0 {
		return false
	}
	b.leaf = leafFence
	b.fence = fence{mark: text[0], run: run}
	return true
}

// closedBy reports whether text, indented by so many columns within the fence's
// containers, closes f.
func (f fence) closedBy(indent int, text []byte) bool {
	run := countRun(text)
	return indent < 4 && run >= f.run && text[0] == f.mark && isBlank(text[run:])
}

// closing returns the line that closes the open fence, without its newline: its
// delimiter, as deep in the containers as it has to be.
func (b block) closing() string {
	var line strings.Builder
	for _, container := range b.containers[:b.depth] {
		if container == quote {
			line.WriteString("> ")
		}
		for range container {
			line.WriteByte(' ')
		}
	}
	for range b.fence.run {
		line.WriteByte(b.fence.mark)
	}
	return line.String()
}

// countRun returns how many equal backticks or tildes text begins with.
func countRun(text []byte) int {
	if len(text) == 0 || text[0] != '`' && text[0] != '~' {
		return 0
	}
	n := 1
	for n < len(text) && text[n] == text[0] {
		n++
	}
	return n
}
