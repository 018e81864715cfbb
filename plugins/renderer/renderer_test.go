package renderer

import (
	"context"
	"testing"

	"github.com/stagehook/stagehook/sdk"
)

func snapshotFor(next string, options ...string) *sdk.Snapshot {
	return &sdk.Snapshot{
		TaskID:          "TUNE-0254",
		Command:         "/dr-plan",
		RecommendedNext: next,
		Options:         options,
	}
}

func TestCallToAction(t *testing.T) {
	const fallback = "continue TUNE-0254 after /dr-plan"
	tests := map[string]struct {
		snapshot         *sdk.Snapshot
		route            string
		command, purpose string
	}{
		"first option of that command": {
			snapshot: snapshotFor("/dr-do", "/dr-qa TUNE-0254 | check", "/dr-do TUNE-0254 --fast | build | all", "/dr-do | later"),
			command:  "/dr-do TUNE-0254 --fast", purpose: "build | all",
		},
		"a longer command is another": {
			snapshot: snapshotFor("/dr-do", "/dr-doctor TUNE-0254 | check"),
			command:  "/dr-do TUNE-0254", purpose: fallback,
		},
		"no option": {
			snapshot: snapshotFor("/dr-do"),
			command:  "/dr-do TUNE-0254", purpose: fallback,
		},
		"no option, with arguments": {
			snapshot: snapshotFor("/dr-do --all"),
			command:  "/dr-do --all", purpose: fallback,
		},
		"option without a purpose": {
			snapshot: snapshotFor("/dr-do", "/dr-do TUNE-0254"),
			command:  "/dr-do TUNE-0254", purpose: fallback,
		},
		"recommendation with arguments": {
			snapshot: snapshotFor("/dr-do TUNE-0254", "/dr-do | build"),
			command:  "/dr-do", purpose: "build",
		},
		"route goes first": {
			snapshot: snapshotFor("/dr-do", "/dr-do | build", "/dr-design | think"),
			route:    "/dr-design TUNE-0254",
			command:  "/dr-design TUNE-0254", purpose: "think",
		},
		"an option cannot change the route": {
			snapshot: snapshotFor("/dr-do", "/dr-do OTHER-0001 --force | build"),
			route:    "/dr-do",
			command:  "/dr-do TUNE-0254", purpose: "build",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var route *sdk.Route
			if test.route != "" {
				route = &sdk.Route{Command: test.route}
			}
			command, purpose := callToAction(test.snapshot, route)
			if command != test.command || purpose != test.purpose {
				t.Errorf("got %q, %q; want %q, %q", command, purpose, test.command, test.purpose)
			}
		})
	}
}

func TestRenderASession(t *testing.T) {
	session := &sdk.Session{RecommendedNext: "/dr-do TUNE-0254 | x", NextAction: "finish | it", Body: []byte("a\xff{{.Body}}\n")}
	for name, test := range map[string]struct {
		route   *sdk.Route
		command string
	}{
		"as it recommends": {nil, "/dr-do TUNE-0254 | x"},
		"by a fresh route": {&sdk.Route{Command: "/dr-qa TUNE-0254"}, "/dr-qa TUNE-0254"},
	} {
		res, err := Spec().Renderer.Render(t.Context(), &sdk.RenderRequest{Session: session, Route: test.route})
		if err != nil {
			t.Fatal(err)
		}
		want := test.command + "\nfinish | it\n\n" + autonomy + "\n\ndone before:\na\xff{{.Body}}\n"
		if res.Command != test.command || res.Purpose != "finish | it" || string(res.Prompt) != want {
			t.Errorf("%s: got %+v, prompt %q", name, res, res.Prompt)
		}
	}
}

func TestRenderCopiesTheBodyUnchanged(t *testing.T) {
	spec := Spec()
	if err := spec.Configure([]byte(`{"autonomy_lines": ["Go on.", "Ask nobody."]}`)); err != nil {
		t.Fatal(err)
	}
	s := snapshotFor("/dr-do", "/dr-do $1 %s | {{.Body}} $&")
	s.Body = []byte("{{.Body}} %s $1\ndone before:\n<!-- x -->")
	res, err := spec.Renderer.Render(context.Background(), &sdk.RenderRequest{Snapshot: s})
	if err != nil {
		t.Fatal(err)
	}
	want := "/dr-do $1 %s\n{{.Body}} $&\n\nGo on.\nAsk nobody.\n\ndone before:\n{{.Body}} %s $1\ndone before:\n<!-- x -->"
	if got := string(res.Prompt); got != want {
		t.Errorf("got %q; want %q", got, want)
	}
}

func TestSettingsAreChecked(t *testing.T) {
	for _, settings := range []string{`{"autonomy_lines": []}`, `{"autonomy_lines": ["a\nb"]}`, `{"Autonomy": []}`, `[]`} {
		if err := Spec().Configure([]byte(settings)); err == nil {
			t.Errorf("%s was accepted", settings)
		}
	}
}
