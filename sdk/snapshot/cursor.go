package snapshot

// cursor reads the start of a line: indentation and what begins containers. It
// counts columns, since a tab reaches to the next multiple of four, and the
// columns of one tab can belong to several containers.
type cursor struct {
	line   []byte
	at     int // where the unread part begins
	column int // its column; when that is inside a tab, at is the tab
}

// next returns how many columns of blanks come next and the text behind them,
// which is empty at the line's end.
func (c *cursor) next() (indent int, text []byte) {
	column, at := c.column, c.at
	for ; at < len(c.line); at++ {
		switch c.line[at] {
		case ' ':
			column++
		case '\t':
			column += tabWidth(column)
		default:
			return column - c.column, c.line[at:]
		}
	}
	return column - c.column, nil
}

// skip moves over columns of blanks, at most those that are there.
func (c *cursor) skip(columns int) {
	for columns > 0 && c.at < len(c.line) {
		width := 1
		switch c.line[c.at] {
		case ' ':
		case '\t':
			width = tabWidth(c.column)
		default:
			return
		}
		if width > columns {
			c.column += columns
			return
		}
		c.at++
		c.column += width
		columns -= width
	}
}

// skipText moves over blanks and n characters behind them that are ASCII and no
// tabs.
func (c *cursor) skipText(n int) {
	indent, _ := c.next()
	c.skip(indent)
	c.at += n
	c.column += n
}

// skipQuote moves over the mark of a block quote.
func (c *cursor) skipQuote() {
	c.skipText(len(">"))
	c.skip(1)
}

// skipItem moves over a list marker, and returns by how many columns the item's
// lines are indented; 0 when there is no marker. Inside a paragraph less counts
// as one.
func (c *cursor) skipItem(insideParagraph bool) (width int) {
	indent, text := c.next()
	marker := listMarker(text)
	if marker == 0 {
		return 0
	}
	behind := *c
	behind.skipText(marker)
	blanks, content := behind.next()
	if insideParagraph && (len(content) == 0 || marker > 1 && !isOne(text[:marker-1])) {
		return 0
	}
	if len(content) == 0 || blanks > 4 {
		blanks = 1 // more of them begin indented code, and an empty line has none
	}
	*c = behind
	c.skip(blanks)
	return indent + marker + blanks
}

func tabWidth(column int) int { return 4 - column%4 }
