package snapshot

import "bytes"

// block is where a line of a body leaves its Markdown: in which block quotes and
// list items, and in which block inside them. The zero value is a body's start.
//
// It follows CommonMark 0.31 line by line, since whether a line of backticks
// opens or closes a fence, or is text, depends on all that is open before it.
// Two things are simplified: a link reference definition counts as a paragraph,
// and so does raw HTML other than a comment.
type block struct {
	depth      byte           // how many containers are open
	containers [maxDepth]byte // the outermost first; see below
	bare       bool           // the innermost container is an item that holds nothing yet
	leaf       leaf
	fence      fence // of a leafFence
}

// A container is a block quote or a list item. An item is known by the columns
// that its lines are indented by, which are never 0.
const quote = 0

// maxDepth bounds how deep containers nest; what is deeper counts as text. A
// fence there needs no closing: the marker leaves its containers.
const maxDepth = 32

type leaf byte

const (
	leafNone leaf = iota // or a block that no other line can belong to
	leafParagraph
	leafFence
	leafComment // of HTML
)

// after returns the block that is open after line, which comes without its
// newline and may be the first part of one.
func (b block) after(line []byte) block {
	c := cursor{line: line}
	matched := b.match(&c)
	if matched < b.depth {
		return b.open(c, matched)
	}
	indent, text := c.next()
	var ends bool
	switch b.leaf {
	case leafFence:
		ends = b.fence.closedBy(indent, text)
	case leafComment:
		ends = endsComment(text)
	default:
		return b.open(c, matched)
	}
	if ends {
		return b.within(matched)
	}
	return b
}

// within returns the outer containers of b with nothing open inside them.
func (b block) within(depth byte) block {
	return block{depth: depth, containers: b.containers}
}

// match moves c behind what the line repeats of the open containers, and returns
// how many of them it belongs to.
func (b block) match(c *cursor) (depth byte) {
	for _, container := range b.containers[:b.depth] {
		indent, text := c.next()
		switch width := int(container); {
		case width == quote && indent < 4 && startsQuote(text):
			c.skipQuote()
		case width != quote && len(text) == 0:
			if b.bare && depth == b.depth-1 {
				return depth
			}
		case width != quote && indent >= width:
			c.skip(width)
		default:
			return depth
		}
		depth++
	}
	return depth
}

// open reads what the line, behind the matched containers, begins.
func (b block) open(c cursor, matched byte) block {
	next := b.within(matched)
	// A paragraph goes on in a line that begins nothing, even if the line leaves
	// its containers. Some blocks cannot begin in the middle of one.
	paragraph := b.leaf == leafParagraph
	for {
		inside := paragraph && matched == b.depth
		indent, text := c.next()
		switch {
		case len(text) == 0:
			return next
		case indent >= 4: // code, else
			if paragraph {
				return b
			}
			return next
		case startsQuote(text) && next.depth < maxDepth:
			c.skipQuote()
			next.push(quote)
		case isHeading(text), inside && isUnderline(text), isBreak(text):
			return next
		case next.opensFence(text), next.opensComment(text):
			return next
		default:
			width := c.skipItem(inside)
			if width == 0 || next.depth == maxDepth {
				if paragraph {
					return b
				}
				next.leaf = leafParagraph
				return next
			}
			next.push(byte(width))
			_, text = c.next()
			next.bare = len(text) == 0
		}
		paragraph = false
	}
}

// opensComment opens the comment that text begins, if it does. Backticks inside
// one are no fence.
func (b *block) opensComment(text []byte) bool {
	if !bytes.HasPrefix(text, []byte("<!--")) {
		return false
	}
	if !endsComment(text) {
		b.leaf = leafComment
	}
	return true
}

// endsComment reports whether a comment ends with the line that holds text.
func endsComment(text []byte) bool { return bytes.Contains(text, []byte("-->")) }

func (b *block) push(container byte) {
	b.containers[b.depth] = container
	b.depth++
}

// cutLine cuts text around its first line ending, which for Markdown is a
// newline, a carriage return or both.
func cutLine(text []byte) (line, rest []byte, ended bool) {
	at := bytes.IndexAny(text, "\r\n")
	if at < 0 {
		return text, nil, false
	}
	line, rest = text[:at], text[at+1:]
	if text[at] == '\r' {
		rest = bytes.TrimPrefix(rest, []byte("\n"))
	}
	return line, rest, true
}
