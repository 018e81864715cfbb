package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/stagehook/stagehook/sdk/records"
)

// printChecks prints a line for each check: whether it holds, where, and what was
// compared. A person gets the checks of a record together below its path, and no
// line that a terminal would break.
func (s *session) printChecks(checks []records.Check) error {
	var text strings.Builder
	if isShown(s.out) {
		for _, record := range byRecord(checks) {
			fmt.Fprintln(&text, oneLine(s.out, record[0].Path))
			for _, check := range record {
				text.WriteString(wrap("  "+oneLine(s.out, sign(check.OK)+" "+finding(check)), "      "))
			}
		}
	} else {
		for _, check := range checks {
			line := strings.TrimPrefix(check.Path+": "+finding(check), ": ") // some have no path
			fmt.Fprintln(&text, sign(check.OK)+" "+oneLine(s.out, line))
		}
	}
	_, err := io.WriteString(s.out, text.String())
	return err
}

// byRecord brings the checks of each record together. Records and checks keep
// their order.
func byRecord(checks []records.Check) [][]records.Check {
	var groups [][]records.Check
	at := map[string]int{}
	for _, check := range checks {
		i, seen := at[check.Path]
		if !seen {
			i = len(groups)
			at[check.Path] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], check)
	}
	return groups
}

func sign(ok bool) string {
	if ok {
		return "✔"
	}
	return "✘"
}

// finding is what was compared, or what is wrong.
func finding(check records.Check) string {
	if check.OK {
		return check.What
	}
	return check.Code + ": " + check.Detail
}

// columns is the width that every terminal has.
const columns = 80

// wrap breaks a line between words. All lines but the first are indented; there a
// digest, the longest word of a refusal, still fits.
func wrap(line, indent string) string {
	var text strings.Builder
	width := 0
	for i, word := range strings.Split(line, " ") {
		length := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case width+1+length > columns:
			text.WriteString("\n" + indent)
			width = len(indent)
		default:
			text.WriteByte(' ')
			width++
		}
		text.WriteString(word)
		width += length
	}
	text.WriteByte('\n')
	return text.String()
}
