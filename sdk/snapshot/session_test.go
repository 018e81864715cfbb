package snapshot

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk/identity"
)

const (
	sessionID    = "SESSION-20260521-134500"
	validSession = `---
session_id: SESSION-20260521-134500
artifact: session-handoff
schema_version: 1
captured_at: 2026-05-21T15:45:00+02:00
captured_by: agent
recommended_next: /dr-do TUNE-0254
next_action: finish the writer, then the docs
active_tasks:
  - TUNE-0254
  - TUNE-0255
---

## Layer 1 — Facts

Tests are green, verified: go test.

## Layer 5

Nothing else.
`
)

// changeSession returns validSession with old replaced.
func changeSession(old, new string) string {
	if strings.Count(validSession, old) != 1 {
		panic(old)
	}
	return strings.Replace(validSession, old, new, 1)
}

func TestParseSession(t *testing.T) {
	_, body, _ := strings.Cut(validSession, "---\n\n")
	want := &Session{
		SessionID:       sessionID,
		CapturedAt:      time.Date(2026, 5, 21, 13, 45, 0, 0, time.UTC),
		CapturedBy:      "agent",
		RecommendedNext: "/dr-do TUNE-0254",
		NextAction:      "finish the writer, then the docs",
		ActiveTasks:     []string{"TUNE-0254", "TUNE-0255"},
		Body:            []byte(body),
	}
	for name, file := range map[string]string{
		"as it is":             validSession,
		"without a blank line": changeSession("---\n\n##", "---\n##"),
		"spelled otherwise":    changeSession("active_tasks:\n  - TUNE-0254\n  - TUNE-0255", `active_tasks: [TUNE-0254, "TUNE-0255"]`),
	} {
		got, p := ParseSession([]byte(file), sessionID, LevelStrict)
		if p != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %+v", name, got, p)
		}
	}
	got, p := ParseSession([]byte(changeSession("\n  - TUNE-0254\n  - TUNE-0255", "")), sessionID, LevelStrict)
	if p != nil || got.ActiveTasks != nil {
		t.Errorf("no active tasks: %+v, %+v", got, p)
	}
}

var sessionProblemCases = []struct{ name, file, code, detail, schema string }{
	{"too large", validSession + strings.Repeat("a", MaxSessionBytes), CodeTooLarge, "the file has 33123 bytes, more than 32768", both},
	{"a byte", validSession + "\xff", CodeNotUTF8, "line 21 holds the byte 0xFF, which is not UTF-8", passes},
	{"no fence", validSession[4:], CodeNoOpeningFence, `line 1 is not the opening fence --- but "session_id: SESSION-20260521-134500"`, both},
	{"anchor", changeSession(": agent", ": &a agent"), CodeAnchor, "line 6: aliases and anchors are not allowed", both},
	{"unknown key", changeSession("captured_by", "mood: good\ncaptured_by"), CodeUnknownKey, `line 6: "mood" is no field of this header`, passes},
	{"no session_id", changeSession("session_id: "+sessionID+"\n", ""), CodeMissingField, "session_id is missing", both},
	{"no next_action", changeSession("next_action: finish the writer, then the docs\n", ""), CodeMissingField, "next_action is missing", both},
	{"no active_tasks", changeSession("active_tasks:\n  - TUNE-0254\n  - TUNE-0255\n", ""), CodeMissingField, "active_tasks is missing", both},
	{"another artifact", changeSession("session-handoff", "stage-snapshot"), CodeArtifactMismatch, `artifact is "stage-snapshot", not session-handoff`, both},
	{"another version", changeSession("version: 1", "version: 2"), CodeSchemaVersion, "schema_version is 2, not 1", both},
	{"session_id", changeSession("-134500\n", "-1345\n"), CodeBadValue, `session_id: "SESSION-20260521-1345" is not of the form SESSION-YYYYMMDD-HHMMSS`, both},
	{"captured_at", changeSession("+02:00", ""), CodeBadValue, `captured_at: "2026-05-21T15:45:00" is not an RFC 3339 time with a zone`, both},
	{"captured_at as a list", changeSession("2026-05-21T15:45:00+02:00", "[now]"), CodeWrongType, "captured_at must be a timestamp", both},
	{"captured_by", changeSession(": agent", ": me"), CodeBadValue, `captured_by: "me" must be agent or operator`, both},
	{"recommended_next", changeSession("/dr-do TUNE-0254", "rm -rf"), CodeBadValue, `recommended_next: "rm -rf" must be /dr- and lower-case letters, digits or hyphens, then arguments behind one space`, both},
	{"empty next_action", changeSession("finish the writer, then the docs", `" "`), CodeBadValue, "next_action: is empty", both},
	{"next_action of two lines", changeSession("finish the writer, then the docs", `"a\nb"`), CodeBadValue, "next_action: holds the refused character U+000A", both},
	{"active_tasks as text", changeSession("\n  - TUNE-0254\n  - TUNE-0255", " TUNE-0254"), CodeWrongType, "active_tasks must be a list", both},
	{"an active task that is a number", changeSession("- TUNE-0255", "- 7"), CodeWrongType, "active_tasks[2] must be a string", both},
	{"another session", changeSession("-134500\n", "-134501\n"), CodeSessionMismatch, "session_id is SESSION-20260521-134501, not SESSION-20260521-134500", passes},
	{"no layer 1", changeSession("## Layer 1 ", "## Layer 10 "), CodeMissingLayer, `the body holds no heading "## Layer 1"`, both},
	{"a deeper layer 5", changeSession("## Layer 5", "### Layer 5"), CodeMissingLayer, `the body holds no heading "## Layer 5"`, both},
	{"layer 5 in a line", changeSession("## Layer 5", "See ## Layer 5"), CodeMissingLayer, `the body holds no heading "## Layer 5"`, both},
	{"claim", changeSession(", verified: go test", ""), CodeUnprovenClaim, `line 16 says "green" without verified: or assumed:`, both},
	{"claims", changeSession("Nothing else.", "Pushed.\n- MERGED, verified\n- Deployed assumed: yes"), CodeUnprovenClaim,
		`line 20 says "Pushed" without verified: or assumed:, and so do more lines, 2 in all`, both},
}

func TestEachSessionProblem(t *testing.T) {
	for _, c := range sessionProblemCases {
		t.Run(c.name, func(t *testing.T) {
			s, p := ParseSession([]byte(c.file), sessionID, LevelStrict)
			if p == nil || s != nil || *p != (Problem{c.code, c.detail}) {
				t.Errorf("strict: %+v, want %s: %s", p, c.code, c.detail)
			}
			s, p = ParseSession([]byte(c.file), sessionID, LevelSchema)
			if c.schema == both && (p == nil || s != nil || p.Code != c.code) || c.schema == passes && p != nil {
				t.Errorf("schema: %+v", p)
			}
		})
	}
}

func TestClaimsAreWholeWords(t *testing.T) {
	for line, claims := range map[string]bool{
		"greenfield, unmerged, passings, pushed_at": false,
		"green":                    true,
		"(Passing)":                true,
		"non-deployed":             true,
		"the tests are PASSING":    true,
		"pushed verified: git log": false,
		"assumed: merged":          false,
		"verified, merged":         true,
		"merged\r":                 true,
		"`deployed`":               true,
		"> green | assumed: by the last run's log |":    false,
		"Зелёный: green":                                true,
		"<!-- passing -->":                              true,
		"- [x] pushed to main":                          true,
		"pushed\u2028verified: on another line of some": true,
		"merged\rverified: x":                           true,
		"_green_":                                       true,
		"__Merged__, really":                            true,
		"pushedé, épushed, зелёный_green":               false,
	} {
		if p := checkClaims([]byte("a\n"+line+"\n"), 1); (p != nil) != claims {
			t.Errorf("%q: %+v", line, p)
		}
	}
}

func TestTaskIDsOfASession(t *testing.T) {
	grammar, err := identity.New(identity.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for next, want := range map[string]string{
		"/dr-do TUNE-0254":                       "TUNE-0254",
		"/dr-do":                                 "",
		"/dr-do --all --task=TUNE-0254":          "TUNE-0254",
		"/dr-do ../x":                            "",
		"/dr-do 'TUNE-0254', then (TUNE-0254)":   "TUNE-0254",
		"/dr-do TUNE-0255 ../TUNE-0254/x TUNE-1": "TUNE-0255 TUNE-0254",
		"/dr-do tune-0254":                       "TUNE-0254",
		"/dr-do Tune-0254 TUNE-0254":             "TUNE-0254",
		"/dr-do TUNE\u20110254":                  "TUNE-0254",
		"/dr-do TUNE\u22120254":                  "TUNE-0254",
		"/dr-do ＴＵＮＥ-０２５４":                       "TUNE-0254",
		"/dr-do TUNE-\u200b0254":                 "TUNE-0254",
		"/dr-do TUNE\u00ad-0254":                 "TUNE-0254",
		"/dr-do --TUNE-0254 TUNE-0254_":          "TUNE-0254",
	} {
		if got := strings.Join((&Session{RecommendedNext: next}).TaskIDs(grammar), " "); got != want {
			t.Errorf("%s: got %q", next, got)
		}
	}
}

// FuzzParseSession holds every input to these promises: no panic; either a session
// or a problem of one short line; and what strict accepts, schema accepts too.
func FuzzParseSession(f *testing.F) {
	for _, c := range sessionProblemCases {
		f.Add([]byte(c.file))
	}
	f.Add([]byte(validSession))
	f.Fuzz(func(t *testing.T, data []byte) {
		strict, p := ParseSession(data, sessionID, LevelStrict)
		lax, q := ParseSession(data, sessionID, LevelSchema)
		for _, p := range []*Problem{p, q} {
			if p != nil && (len(p.Detail) > maxDetail || p.Detail == "" || identity.Line("detail", p.Detail) != nil) {
				t.Errorf("detail %q", p.Detail)
			}
		}
		switch {
		case (strict == nil) == (p == nil) || (lax == nil) == (q == nil):
			t.Fatalf("%+v and %+v, %+v and %+v", strict, p, lax, q)
		case strict == nil:
		case !reflect.DeepEqual(strict, lax):
			t.Errorf("strict %+v\nschema %+v", strict, lax)
		case strict.SessionID != sessionID || identity.RecommendedNext(strict.RecommendedNext) != nil ||
			slices.ContainsFunc(append(strict.ActiveTasks, strict.NextAction), func(line string) bool { return identity.Line("", line) != nil }):
			t.Errorf("accepted %+v", strict)
		}
	})
}
