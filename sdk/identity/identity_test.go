package identity

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"
)

func mustNew(t *testing.T, rules Rules) *Grammar {
	t.Helper()
	grammar, err := New(rules)
	if err != nil {
		t.Fatal(err)
	}
	return grammar
}

func TestTaskID(t *testing.T) {
	const profile = `^[A-Z]{2,10}-[0-9]{4}(-[A-Za-z0-9]+)*$`
	tests := map[string]struct {
		pattern string
		good    []string
		bad     []string
	}{
		"default": {
			good: []string{"TUNE-0254", "A1-0001", "A--00001", "SUB-TASK-12345"},
			bad: []string{
				"", "TUNE", "TUNE-254", "TUNE-025456", "tune-0254", "-TUNE-0254", "T-0254", "TUNE-0254\n", "\nTUNE-0254",
				"TUNE-0254 ", "TUNE/../X-0001", "../TUNE-0254", "TUNE-0254.", "ТУНЕ-0254", "TUNE-０２５４", "TUNE-0254\x00",
				strings.Repeat("A", 124) + "-0001",
			},
		},
		"profile":                            {pattern: profile, good: []string{"TUNE-0254", "TUNE-0254-FU-2"}, bad: []string{"T-0254", "TUNE-02541", "TUNE-0254-"}},
		"no anchors":                         {pattern: `[A-Z]+-[0-9]`, good: []string{"A-1"}, bad: []string{"xA-1", "A-12"}},
		"alternation":                        {pattern: `A-1|B-2`, good: []string{"A-1", "B-2"}, bad: []string{"A-12", "xB-2"}},
		"flags":                              {pattern: `(?m)^A-1$`, good: []string{"A-1"}, bad: []string{"A-1\nB", "A-1\n"}},
		"anything at all":                    {pattern: `(?s).*`, good: []string{"x_Y-1"}, bad: []string{"", "a/b", "a.b", "..", "a b", "-a", "é", "a\\b", "a:b"}},
		"a pattern that the floor rules out": {pattern: `\.\./x`, bad: []string{"../x"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			grammar := mustNew(t, Rules{TaskIDPattern: test.pattern})
			for _, id := range test.good {
				if err := grammar.TaskID(id); err != nil {
					t.Errorf("%q: %v", id, err)
				}
			}
			for _, id := range test.bad {
				var refused *ValueError
				if err := grammar.TaskID(id); !errors.As(err, &refused) || refused.Field != "task_id" {
					t.Errorf("%q: got %v; want a refused task_id", id, err)
				}
			}
		})
	}
}

func TestSessionID(t *testing.T) {
	if err := SessionID("SESSION-20260521-134500"); err != nil {
		t.Error(err)
	}
	for _, id := range []string{
		"", "SESSION-", "SESSION-20260521", "SESSION-20260521-1345", "SESSION-2026052-134500", "SESSION-20260521-134500-1", "session-20260521-134500",
		"SESSION-20260521-134500\n", "SESSION-20260521/134500", "../SESSION-20260521-134500", "SESSION-２０２６０５２１-134500", "TUNE-0254", "20260521-134500",
	} {
		var refused *ValueError
		if err := SessionID(id); !errors.As(err, &refused) || refused.Field != "session_id" {
			t.Errorf("%q: got %v; want a refused session_id", id, err)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for name, rules := range map[string]Rules{
		"no pattern":             {TaskIDPattern: `[`},
		"out of the group":       {TaskIDPattern: `X)|(?:Y`},
		"stage with a separator": {Stages: []string{"a/b"}},
		"empty stage":            {Stages: []string{""}},
		"stage with a digit":     {Stages: []string{"1st"}},
		"stage in upper case":    {Stages: []string{"Plan"}},
		"long stage":             {Stages: []string{strings.Repeat("a", 33)}},
	} {
		if _, err := New(rules); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

func TestStage(t *testing.T) {
	grammar := mustNew(t, Rules{Stages: []string{"deploy"}})
	for _, stage := range []string{"init", "plan", "archive", "auto", "deploy"} {
		if err := grammar.Stage(stage); err != nil {
			t.Errorf("%q: %v", stage, err)
		}
	}
	for _, stage := range []string{"", "sleep", "Plan", "plan ", "plan\n"} {
		if grammar.Stage(stage) == nil {
			t.Errorf("%q was accepted", stage)
		}
	}
}

func TestValues(t *testing.T) {
	tests := []struct {
		what  string
		check func(string) error
		good  []string
		bad   []string
	}{
		{"command", Command, []string{"/dr-do", "/dr-do-2"}, []string{"", "/dr-", "dr-do", "/dr-Do", "/dr-do x", "/dr-do\n", " /dr-do"}},
		{
			"recommended_next", RecommendedNext,
			[]string{"/dr-do", "/dr-do TUNE-0254 --focus-items a,b", "/dr-do x  y", "/dr-do слово →"},
			[]string{"", "/dr-do ", "/dr-do  x", "/dr-do\tx", "rm -rf /", "/dr-do x\ny", "/dr-do x\u2028y", "/dr-do \u202etxt", "/dr-do \xff"},
		},
		{"captured_by", CapturedBy, []string{"agent", "operator"}, []string{"", "Agent", "agent\n", "me"}},
	}
	for _, test := range tests {
		for _, value := range test.good {
			if err := test.check(value); err != nil {
				t.Errorf("%s %q: %v", test.what, value, err)
			}
		}
		for _, value := range test.bad {
			var refused *ValueError
			if err := test.check(value); !errors.As(err, &refused) || refused.Field != test.what {
				t.Errorf("%s %q: got %v; want it refused", test.what, value, err)
			}
		}
	}
}

func TestLineNamesFieldAndCodePoint(t *testing.T) {
	for value, want := range map[string]string{
		"a\nb":      "options[3]: holds the refused character U+000A",
		"a\rb":      "options[3]: holds the refused character U+000D",
		"a\tb":      "options[3]: holds the refused character U+0009",
		"\x7f":      "options[3]: holds the refused character U+007F",
		"\u0085":    "options[3]: holds the refused character U+0085",
		"\u2028":    "options[3]: holds the refused character U+2028",
		"\u2029":    "options[3]: holds the refused character U+2029",
		"\u202e":    "options[3]: holds the refused character U+202E",
		"\u2066":    "options[3]: holds the refused character U+2066",
		"ok \xc3(":  "options[3]: holds the byte 0xC3, which is not UTF-8",
		"\uFFFD \n": "options[3]: holds the refused character U+000A",
	} {
		if err := Line("options[3]", value); err == nil || err.Error() != want {
			t.Errorf("%q: got %v; want %s", value, err, want)
		}
	}
	for _, value := range []string{"", "plain", "Кириллица → 日本語 🚀", "\uFFFD", "\u200f \u00ad", "'\"\\ #: -"} {
		if err := Line("x", value); err != nil {
			t.Errorf("%q: %v", value, err)
		}
	}
}

func TestBlank(t *testing.T) {
	const text = "a\nb\x1b[2J\u0085c\u2028d\u202ee →\u200f"
	got := Blank(text)
	if want := "a b [2J c d e →\u200f"; got != want {
		t.Errorf("got %q; want %q", got, want)
	}
	if err := Line("x", got); err != nil {
		t.Error(err)
	}
}

func TestCapturedAt(t *testing.T) {
	for value, want := range map[string]string{
		"2026-05-21T13:45:00Z":                                 "2026-05-21T13:45:00Z",
		"2026-05-21T13:45:00.999Z":                             "2026-05-21T13:45:00Z",
		"2026-05-21T15:45:00+02:00":                            "2026-05-21T13:45:00Z",
		"2026-01-01T00:30:00.5+01:00":                          "2025-12-31T23:30:00Z",
		"2026-05-21T13:45:00-00:00":                            "2026-05-21T13:45:00Z",
		"2026-05-21T13:44:59+23:59":                            "2026-05-20T13:45:59Z",
		"2024-02-29T00:00:00Z":                                 "2024-02-29T00:00:00Z",
		"0000-01-01T00:00:00Z":                                 "0000-01-01T00:00:00Z",
		"9999-12-31T23:59:59.99+00:00":                         "9999-12-31T23:59:59Z",
		"2026-05-21t13:45:00z":                                 "2026-05-21T13:45:00Z",
		"2026-05-21t15:45:00.5+02:00":                          "2026-05-21T13:45:00Z",
		"2026-05-21T13:45:00." + strings.Repeat("9", 40) + "Z": "2026-05-21T13:45:00Z",
	} {
		at, err := CapturedAt(value)
		if err != nil || at.Format(time.RFC3339) != want {
			t.Errorf("%q: got %v, %v; want %s", value, at, err, want)
		}
	}
}

func TestCapturedAtTakesOnlyRFC3339(t *testing.T) {
	for _, value := range []string{
		"", "now", "2026-05-21", "2026-05-21T13:45:00", "2026-05-21 13:45:00Z", "2026-05-21T13:45Z", "20260521T134500Z", "2026-05-21T13:45:00 Z",
		"2026-05-21T1:45:00Z", "2026-05-21T001:45:00Z", "2026-5-21T13:45:00Z", "26-05-21T13:45:00Z", "+2026-05-21T13:45:00Z",
		"2026-05-21T13:45:00,5Z", "2026-05-21T13:45:00.Z", "2026-05-21T13:45:00.5.5Z",
		"2026-05-21T13:45:00+24:00", "2026-05-21T13:45:00-24:00", "2026-05-21T13:45:00+02:60", "2026-05-21T13:45:00+2:00", "2026-05-21T13:45:00+0200",
		"2026-05-21T13:45:00+02", "2026-05-21T13:45:00+02:00Z", "2026-05-21T13:45:00ZZ", "2026-05-21T13:45:00UTC", "2026-05-21T13:45:00\u221202:00",
		"2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-00-10T00:00:00Z", "2026-05-21T24:00:00Z", "2026-05-21T13:60:00Z",
		"2016-12-31T23:59:60Z", "2026-05-21T13:45:61Z", "2026-05-21T13:45:00Z\n", " 2026-05-21T13:45:00Z", "２026-05-21T13:45:00Z",
		"0000-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00",
	} {
		var refused *ValueError
		if at, err := CapturedAt(value); !errors.As(err, &refused) || refused.Field != "captured_at" {
			t.Errorf("%q was accepted as %v, %v", value, at, err)
		}
	}
}

// What is done by hand says the same as the pattern.
func FuzzMatchesDefault(f *testing.F) {
	pattern := regexp.MustCompile(`\A(?:` + DefaultTaskIDPattern + `)\z`)
	for _, id := range []string{"TUNE-0254", "A--0001", "A-0001", "AB-0001", "A1-B2-12345", "A-", "-0001", "AB-00012\n", "ab-0001", "AB-000123", "A0-1-0001"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		if got, want := matchesDefault(id), pattern.MatchString(id); got != want {
			t.Errorf("%q: got %v; want %v", id, got, want)
		}
	})
}
