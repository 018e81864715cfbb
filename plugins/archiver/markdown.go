package archiver

import (
	"slices"
	"strings"
)

// registryHeading is the title of the section that holds a registry's table.
const registryHeading = "Task Prefix Registry"

// registeredAreas returns the third cells of the table rows whose first is the
// prefix, below the registry's heading, without repetition and at most two.
//
// Of Markdown it knows headings with number signs, and code, which no example of
// a registry is to be read from.
func registeredAreas(markdown, prefix string) []string {
	var areas []string
	level := 0  // of the registry's heading that the line is below; 0 for none
	fence := "" // what opened the fenced code that the line is in
	for line := range strings.Lines(strings.TrimPrefix(markdown, "\uFEFF")) {
		text := strings.TrimRight(strings.TrimLeft(line, " "), " \t\r\n")
		switch {
		case strings.HasPrefix(line, "    "): // code, or in a list
		case fence != "":
			if strings.HasPrefix(text, fence) {
				fence = ""
			}
		case strings.HasPrefix(text, "```"), strings.HasPrefix(text, "~~~"):
			fence = text[:len(text)-len(strings.TrimLeft(text, text[:1]))]
		case strings.HasPrefix(text, "#"):
			level = levelBelow(text, level)
		case level > 0 && strings.HasPrefix(text, "|"):
			if c := cells(text); len(c) > 2 && c[0] == prefix && len(areas) < 2 && !slices.Contains(areas, c[2]) {
				areas = append(areas, c[2])
			}
		}
	}
	return areas
}

// levelBelow returns the level of the registry's heading that the lines below text
// belong to, which is level above it. A section holds those of deeper headings.
func levelBelow(text string, level int) int {
	words := strings.Fields(text)
	own := len(words[0])
	if own > 6 || strings.Trim(words[0], "#") != "" || level > 0 && own > level {
		return level
	}
	// Number signs may close a heading.
	if title := strings.TrimRight(strings.Join(words[1:], " "), " #"); own > 1 && title == registryHeading {
		return own
	}
	return 0
}

// cells returns the cells of a table row, of which the fourth holds the rest. An
// escaped pipe separates nothing.
func cells(row string) []string {
	row = strings.ReplaceAll(row, `\|`, "\n") // which no line holds
	cells := strings.SplitN(strings.TrimSuffix(row[1:], "|"), "|", 4)
	for i, cell := range cells {
		cells[i] = plain(strings.ReplaceAll(cell, "\n", "|"))
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
