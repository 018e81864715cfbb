//go:build unix

package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// wantNoRoute wants a command to have ended with a refusal: nothing on standard
// output, and on standard error a line for each reason, with at most a hint behind
// them. It returns the reasons, "CODE: PATH" each.
func wantNoRoute(t testing.TB, code int, stdout, stderr string) []string {
	t.Helper()
	var reasons []string
	lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
	for i, line := range lines {
		reason, ok := strings.CutPrefix(line, "stagehook: route refused: ")
		parts := strings.SplitN(reason, ": ", 3)
		switch {
		case ok && len(parts) == 3 && parts[2] != "":
			reasons = append(reasons, parts[0]+": "+parts[1])
		case i != len(lines)-1 || !strings.HasPrefix(line, "stagehook: hint: "):
			t.Errorf("the line %q gives no reason", line)
		}
	}
	if code != exitRefused || stdout != "" || len(reasons) == 0 {
		t.Errorf("exit code %d, %q\n%s", code, stdout, stderr)
	}
	return reasons
}

// What refuses a resume refuses the bare route as well, and in JSON for the same
// reasons.
func TestEveryRefusalEndsARoute(t *testing.T) {
	for code := range refusals {
		t.Run(code, func(t *testing.T) {
			root := refusedWorkspace(t, code)
			c := recordsCommand(t, root, "route")
			reasons := wantNoRoute(t, c.code, c.stdout.String(), c.stderr.String())

			c = recordsCommand(t, root, "route", "--json")
			var document struct {
				Verdict  string
				Route    any
				Refusals []struct{ Code, Path, Detail string }
			}
			if err := json.Unmarshal(c.stdout.Bytes(), &document); err != nil {
				t.Fatal(err)
			}
			if c.code != exitRefused || document.Verdict != "refused" || document.Route != nil {
				t.Errorf("exit code %d, %s", c.code, c.stdout.String())
			}
			var codes, listed []string
			for _, refusal := range document.Refusals {
				codes = append(codes, refusal.Code)
				listed = append(listed, refusal.Code+": "+refusal.Path)
			}
			if got, want := strings.Join(listed, "\n"), strings.Join(reasons, "\n"); got != want {
				t.Errorf("in JSON\n%s\nin lines\n%s", got, want)
			}
			if !strings.Contains(" "+strings.Join(codes, " ")+" ", " "+code+" ") {
				t.Errorf("refused with %q", codes)
			}
		})
	}
}
