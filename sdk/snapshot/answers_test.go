package snapshot

import (
	"os"
	"strings"
	"testing"
)

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestRealAnswers renders whole answers of three stages.
func TestRealAnswers(t *testing.T) {
	for _, c := range []struct {
		task, stage, next, answer, options string
		size                               int
		truncated                          bool
	}{
		{"TUNE-0254", "plan", "/dr-verify", "plan-answer.md", "plan-options.txt", 1751, false},
		{"WEB-0117", "qa", "/dr-plan", "qa-fail-answer.ru.md", "qa-fail-options.ru.txt", 1694, false},
		{"INFRA-0042", "do", "/dr-archive", "do-answer-long.md", "do-options-long.txt", MaxBytes - 1, true}, // the next rune has two bytes
	} {
		s := example(read(t, c.answer))
		s.TaskID, s.Stage, s.Command, s.RecommendedNext = c.task, c.stage, "/dr-"+c.stage, c.next
		s.Options = strings.Split(strings.TrimSpace(read(t, c.options)), "\n")
		file, stored := mustRender(t, s, RenderOptions{})
		if len(file) != c.size || stored.Truncated != c.truncated {
			t.Errorf("%s: %d bytes, truncated %v", c.answer, len(file), stored.Truncated)
		}
		want := expect()
		want.TaskID = c.task
		got := mustParse(t, file, want)
		if !c.truncated && string(got.Body) != string(s.Body) {
			t.Errorf("%s: the body changed", c.answer)
		}
		if c.truncated {
			checkCut(t, string(s.Body), got.Body, len(file)-len("8191"), MaxBytes)
		}
	}
}
