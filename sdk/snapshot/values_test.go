package snapshot

import (
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk/identity"
)

// example is the contract's snapshot with another body.
func example(body string) Snapshot {
	return Snapshot{
		TaskID:          "TUNE-0254",
		Stage:           "plan",
		Command:         "/dr-plan",
		CapturedAt:      time.Date(2026, 5, 21, 13, 45, 0, 0, time.UTC),
		CapturedBy:      "agent",
		RecommendedNext: "/dr-do",
		Options:         []string{"/dr-do TUNE-0254 | implementation", "/dr-status | escape hatch"},
		Body:            []byte(body),
	}
}

// expect is what a reader of the example knows. The extra stages are the words
// that YAML takes for something else.
func expect() Expect { return Expect{TaskID: "TUNE-0254", Grammar: grammar} }

var grammar = mustGrammar(identity.Rules{Stages: []string{"yes", "no", "on", "off", "y", "n", "true", "null", "nullable"}})

func mustGrammar(rules identity.Rules) *identity.Grammar {
	g, err := identity.New(rules)
	if err != nil {
		panic(err)
	}
	return g
}

func mustRender(t testing.TB, s Snapshot, o RenderOptions) ([]byte, Snapshot) {
	t.Helper()
	file, stored, err := Render(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return file, stored.Snapshot
}

func mustParse(t testing.TB, file []byte, want Expect) *Snapshot {
	t.Helper()
	s, p := Parse(file, want)
	if p != nil {
		t.Fatalf("%s: %s\n%s", p.Code, p.Detail, file)
	}
	return s
}
