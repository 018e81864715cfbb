package archiver

import (
	"slices"
	"strings"
)

// registryHeading is the title of the section that holds a registry's table.
const registryHeading = "Task Prefix Registry"

// registeredAreas returns the third cells of the table rows whose first is the
// prefix, below the registry's heading, without repetition and at most two; and
// whether there is such a heading.
//
// Of Markdown it knows what keeps it from taking something else for such a row:
// headings of both kinds, code, and comments.
func registeredAreas(text, prefix string) (areas []string, found bool) {
	r := &registryReader{prefix: prefix}
	text = strings.TrimPrefix(text, "\uFEFF")
	for line := range strings.Lines(text) {
		r.line(strings.TrimRight(line, "\r\n"))
	}
	return r.areas, r.found
}

type registryReader struct {
	prefix string
	found  bool
	areas  []string

	level     int    // of the registry's heading that the line is below; 0 for none
	fence     string // the delimiter of the fenced code that the line is in
	comment   bool   // whether the line is in a comment
	paragraph string // the text above the line, which an underline makes a heading
}

func (r *registryReader) line(line string) {
	above := r.paragraph
	r.paragraph = ""
	text := strings.TrimRight(strings.TrimLeft(line, " "), " \t")
	indented := len(line)-len(strings.TrimLeft(line, " ")) > 3
	switch {
	case r.comment:
		r.comment = !strings.Contains(line, "-->")
	case indented: // code, or in a list
	case r.fence != "":
		if delimiter := fenceOf(text); len(delimiter) >= len(r.fence) && delimiter == text && delimiter[0] == r.fence[0] {
			r.fence = ""
		}
	case fenceOf(text) != "":
		r.fence = fenceOf(text)
	case strings.HasPrefix(text, "<!--"):
		r.comment = !strings.Contains(text, "-->")
	case strings.HasPrefix(text, "|"):
		r.row(text)
	case above != "" && strings.Trim(text, "=") == "" && text != "":
		r.heading(1, above)
	case above != "" && strings.Trim(text, "-") == "" && text != "":
		r.heading(2, above)
	default:
		if level, title := headingOf(text); level > 0 {
			r.heading(level, title)
		} else if !startsBlock(text) {
			r.paragraph = above
			if len(above) <= len(registryHeading) { // else it is no title that matters
				r.paragraph = strings.Join(strings.Fields(above+" "+text), " ")
			}
		}
	}
}

// heading begins or ends the registry's section, to which the sections inside it
// belong.
func (r *registryReader) heading(level int, title string) {
	if r.level > 0 && level > r.level {
		return
	}
	r.level = 0
	if level > 1 && strings.Join(strings.Fields(title), " ") == registryHeading {
		r.level, r.found = level, true
	}
}

func (r *registryReader) row(text string) {
	if r.level == 0 {
		return
	}
	if c := cells(text, 3); len(c) == 3 && c[0] == r.prefix && len(r.areas) < 2 && !slices.Contains(r.areas, c[2]) {
		r.areas = append(r.areas, c[2])
	}
}

// headingOf returns the level and the title of a line that is a heading, level 0
// when it is none.
func headingOf(text string) (level int, title string) {
	title = strings.TrimLeft(text, "#")
	level = len(text) - len(title)
	if level > 6 || title != "" && title[0] != ' ' && title[0] != '\t' {
		return 0, ""
	}
	// Signs that close the heading stand apart from its title.
	if open := strings.TrimRight(title, "#"); strings.HasSuffix(open, " ") || strings.HasSuffix(open, "\t") {
		title = open
	}
	return level, title
}

// fenceOf returns the delimiter that a line of fenced code begins with, empty for
// any other line.
func fenceOf(text string) string {
	for _, sign := range []string{"`", "~"} {
		rest := strings.TrimLeft(text, sign)
		run := text[:len(text)-len(rest)]
		// A backtick behind backticks makes it inline code.
		if len(run) >= 3 && (sign == "~" || !strings.Contains(rest, sign)) {
			return run
		}
	}
	return ""
}

// startsBlock reports whether text is no paragraph: nothing at all, a quote or an
// item of a list. A line below it underlines nothing.
func startsBlock(text string) bool {
	marker, _, _ := strings.Cut(text, " ")
	return text == "" || text[0] == '>' || slices.Contains([]string{"-", "+", "*", ".", ")"}, strings.TrimLeft(marker, "0123456789"))
}

// cells returns the first cells of a table row, at most so many. An escaped pipe
// separates nothing.
func cells(row string, most int) []string {
	var cells []string
	rest := strings.TrimPrefix(row, "|")
	for len(cells) < most && rest != "" {
		end := 0
		for end < len(rest) && rest[end] != '|' {
			if strings.HasPrefix(rest[end:], `\|`) {
				end++
			}
			end++
		}
		cells = append(cells, plain(strings.ReplaceAll(rest[:end], `\|`, "|")))
		rest = rest[min(end+1, len(rest)):]
	}
	return cells
}

// plain is a cell without the emphasis and the code marks around all of it.
func plain(cell string) string {
	cell = strings.TrimSpace(cell)
	for len(cell) > 1 && cell[0] == cell[len(cell)-1] && strings.IndexByte("`*_", cell[0]) >= 0 {
		cell = strings.TrimSpace(cell[1 : len(cell)-1])
	}
	return cell
}
