package hook

import (
	"errors"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk/identity"
)

func TestAnswerCheckNamesTheValue(t *testing.T) {
	grammar, err := identity.New(identity.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for field, change := range map[string]func(*Answer){
		"":                 func(*Answer) {},
		"stage":            func(a *Answer) { a.Stage = "sleep" },
		"command":          func(a *Answer) { a.Command = "/dr-plan x" },
		"captured_at":      func(a *Answer) { a.CapturedAt = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) },
		"captured_by":      func(a *Answer) { a.CapturedBy = "me" },
		"recommended_next": func(a *Answer) { a.RecommendedNext = "/dr-do " },
		"options[1]":       func(a *Answer) { a.Options[0] = "a\nb" },
		"options[3]":       func(a *Answer) { a.Options[2] = "\u202e" },
	} {
		answer := Answer{
			Stage: "plan", Command: "/dr-plan", CapturedAt: time.Date(2026, 5, 21, 13, 45, 0, 0, time.UTC),
			CapturedBy: "agent", RecommendedNext: "/dr-do x", Options: []string{"/dr-do", "", "/dr-status | x"},
		}
		change(&answer)
		err := answer.Check(grammar)
		var refused *identity.ValueError
		if field == "" && err != nil || field != "" && (!errors.As(err, &refused) || refused.Field != field) {
			t.Errorf("%s: got %v", field, err)
		}
	}
}
