package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// On a terminal the checks of a record stand together, and no line is longer than
// the terminal is wide.
func TestRecordsCheckOnATerminal(t *testing.T) {
	root, set := t.TempDir(), sampleRecords(t)
	set.change(atEvidence, "path: datarim/qa/qa-report-TUNE-0254.md", "path: datarim/insights/INSIGHTS-TUNE-0254.md")
	if err := set.store(root); err != nil {
		t.Fatal(err)
	}
	screen, code := onScreen(t, commandIn(t, root, "records", "check", "--task", "TUNE-0254"))
	want := atEvidence + `
  ✔ task_id
  ✔ decision
  ✔ acceptance
  ✔ criterion of EV-1
  ✘ evidence-mismatch: digest of EV-1 is
      ` + digestOfText(set["datarim/qa/qa-report-TUNE-0254.md"]) + `;
      it must be
      ` + digestOfText(set["datarim/insights/INSIGHTS-TUNE-0254.md"]) + `,
      that of datarim/insights/INSIGHTS-TUNE-0254.md
` + atContract + `
  ✔ task_id
`
	if code != exitRefused || !strings.HasPrefix(screen, want) {
		t.Errorf("exit code %d, %s\nwant\n%s", code, screen, want)
	}
	for line := range strings.Lines(screen) {
		if line = strings.TrimSuffix(line, "\n"); utf8.RuneCountInString(line) > columns {
			t.Errorf("%q is longer than %d columns", line, columns)
		}
	}
	wantVisible(t, screen)
}

// Whoever does what docs/records.md says, gets what it shows.
func TestRecordsPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/records.md")
	if err != nil {
		t.Fatal(err)
	}
	root, files, shown := t.TempDir(), recordSet{}, 0
	for _, block := range regexp.MustCompile("(?s)```(yaml|console)\n(.*?)```\n").FindAllStringSubmatch(string(page), -1) {
		if block[1] == "yaml" {
			path, _, _ := strings.Cut(strings.TrimPrefix(block[2], "# "), "\n")
			files[path] = block[2]
			if err := files.store(root); err != nil {
				t.Fatal(err)
			}
			continue
		}
		shown++
		code := 0
		for _, step := range strings.Split("\n"+block[2], "\n$ ")[1:] {
			command, want, _ := strings.Cut(strings.TrimSuffix(step, "\n")+"\n", "\n")
			got := ""
			switch words := strings.Fields(command); words[0] {
			case "stagehook":
				got, code = onScreen(t, commandIn(t, root, words[1:]...))
			case "sha256sum":
				for _, path := range words[1:] {
					got += strings.TrimPrefix(digestOfText(files[path]), "sha256:") + "  " + path + "\n"
				}
			default:
				got = fmt.Sprintln(code)
			}
			if got != want {
				t.Errorf("$ %s\n%s\nwant\n%s", command, got, want)
			}
		}
	}
	if shown != 6 {
		t.Errorf("the page shows %d commands' output", shown)
	}
}
