package runner_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stagehook/stagehook/runner"
	"github.com/stagehook/stagehook/runner/process"
	"github.com/stagehook/stagehook/sdk"
)

// says is a revalidator that says confirm, refuse or the command of a route.
func says(word string) *sdk.Spec {
	return &sdk.Spec{Name: "says", Version: "1.0.0", Stateless: true, Revalidator: saysPlugin(word)}
}

type saysPlugin string

func (s saysPlugin) Revalidate(context.Context, *sdk.RevalidateRequest) (*sdk.RevalidateResult, error) {
	switch s {
	case "confirm":
		return &sdk.RevalidateResult{CheckedAt: time.Now().UTC()}, nil
	case "refuse":
		return &sdk.RevalidateResult{Refusals: []sdk.Refusal{{Code: "policy", Detail: "not today"}}}, nil
	}
	return &sdk.RevalidateResult{Route: &sdk.Route{Command: string(s)}, CheckedAt: time.Now().UTC()}, nil
}

// inTurn is a configuration whose revalidators say the words, one after another.
func inTurn(t *testing.T, words ...string) string {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	plugins, steps := "", "[{kind: validator, plugin: snapshot-validator}"
	for i, word := range words {
		plugins += fmt.Sprintf("  r%d: {command: [%q, plugin, says, %q]}\n", i, self, word)
		steps += fmt.Sprintf(", {kind: revalidator, plugin: r%d}", i)
	}
	return "plugins:\n" + plugins + "events:\n  resume: " + steps + ", {kind: renderer, plugin: replay-renderer}]\n"
}

// Every revalidator must be fresh, the last that names a route decides, and what
// none of them names must be in a snapshot.
func TestSeveralRevalidators(t *testing.T) {
	const missing = "nothing-to-confirm"
	for _, c := range []struct{ first, second, without, with string }{
		{"confirm", "confirm", missing, "/dr-do TUNE-0254"},
		{"confirm", "/dr-qa second", "/dr-qa second", "/dr-qa second"},
		{"confirm", "refuse", "policy", "policy"},
		{"/dr-qa first", "confirm", "/dr-qa first", "/dr-qa first"},
		{"/dr-qa first", "/dr-qa second", "/dr-qa second", "/dr-qa second"},
		{"/dr-qa first", "refuse", "policy", "policy"},
		{"refuse", "confirm", "policy", "policy"},
		{"refuse", "/dr-qa second", "policy", "policy"},
		{"refuse", "refuse", "policy", "policy"},
	} {
		t.Run(strings.ReplaceAll(c.first+", "+c.second, "/", ""), func(t *testing.T) {
			r, root := newRunner(t, inTurn(t, c.first, c.second))
			if got := routed(fire(t, r, runner.Event{Name: runner.Route, Root: root})); got != c.without {
				t.Errorf("route without a snapshot: %s; want %s", got, c.without)
			}
			if outcome := fire(t, r, runner.Event{Name: runner.Resume, Root: root}); outcome.Result != runner.Missing {
				t.Errorf("resume without a snapshot: %s", outcome.Result)
			}
			fire(t, r, runner.Event{Name: runner.StageExit, Root: root, Answer: answer(withProjection)})
			want := c.with
			if want == "/dr-do TUNE-0254" {
				want = "confirmed"
			}
			if got := routed(fire(t, r, runner.Event{Name: runner.Route, Root: root})); got != want {
				t.Errorf("route: %s; want %s", got, want)
			}
			resumed := fire(t, r, runner.Event{Name: runner.Resume, Root: root})
			if resumed.Rendered == nil {
				if got := routed(resumed); got != c.with {
					t.Errorf("resume: %s; want %s", got, c.with)
				}
			} else if resumed.Rendered.Command != c.with {
				t.Errorf("resume: %s; want %s", resumed.Rendered.Command, c.with)
			}
		})
	}
}

// routed is the fresh route, or the code of the first refusal.
func routed(outcome *runner.Outcome) string {
	switch route := outcome.Route(); {
	case outcome.Result == runner.Refused:
		return outcome.Refusals[0].Code
	case outcome.Result != runner.Done:
		return string(outcome.Result)
	case route == nil:
		return "confirmed"
	default:
		return route.Command
	}
}

// A route that is refused is never beside a prompt, and the others are not asked.
func TestRefusalEndsTheEvent(t *testing.T) {
	r, root := newRunner(t, inTurn(t, "refuse", "/dr-qa second"))
	fire(t, r, runner.Event{Name: runner.StageExit, Root: root, Answer: answer("x")})
	outcome := fire(t, r, runner.Event{Name: runner.Resume, Root: root})
	if outcome.Result != runner.Refused || outcome.Rendered != nil || outcome.Route() != nil || len(outcome.Refusals) != 1 {
		t.Errorf("got %+v", outcome)
	}
}

// What no agent could follow is not passed on, whoever says it.
func TestRouteThatIsNone(t *testing.T) {
	for _, command := range []string{"rm -rf", "/dr-do\n/dr-qa", "/dr-", "dr-do"} {
		r, root := newRunner(t, inTurn(t, command))
		_, err := r.Fire(t.Context(), runner.Event{Name: runner.Route, Root: root, TaskID: "TUNE-0254"})
		var broken *process.Error
		if !errors.As(err, &broken) || !strings.Contains(broken.What, "route.command") {
			t.Errorf("%q: %v", command, err)
		}
	}
}
