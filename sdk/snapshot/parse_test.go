package snapshot

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/stagehook/stagehook/sdk/identity"
)

func TestValidIsWhatRenderWrites(t *testing.T) {
	file, stored := mustRender(t, example("body\n"), RenderOptions{})
	if string(file) != valid {
		t.Errorf("got\n%s", file)
	}
	if got := mustParse(t, []byte(valid), expect()); !reflect.DeepEqual(got, &stored) {
		t.Errorf("got %+v", got)
	}
}

func TestOtherSpellings(t *testing.T) {
	list := "options:\n  - \"/dr-do TUNE-0254 | implementation\"\n  - \"/dr-status | escape hatch\"\n"
	want := mustParse(t, []byte(valid), expect())
	for name, file := range map[string]string{
		"quotes":          change("stage: plan", "'stage': 'plan'"),
		"quoted time":     change("2026-05-21T13:45:00Z", `"2026-05-21T13:45:00Z"`),
		"order":           change("stage: plan\ncommand: /dr-plan", "command: /dr-plan\nstage: plan"),
		"comment":         change(": plan", ": plan # as ever"),
		"flow list":       change(list, "options: [\"/dr-do TUNE-0254 | implementation\", '/dr-status | escape hatch']\n"),
		"plain options":   change(list, "options:\n- /dr-do TUNE-0254 | implementation\n- /dr-status | escape hatch\n"),
		"escapes":         change("| escape", `\x7C \u0065scape`),
		"folded":          change("| escape hatch", "| escape\n    hatch"),
		"block of a line": change(": plan", ": |-\n  plan"),
	} {
		got := mustParse(t, []byte(file), expect())
		got.SizeBytes = want.SizeBytes
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for _, none := range []string{"options:\n", "options: []\n", "options: ~\n", "options: null\n"} {
		if got := mustParse(t, []byte(change(list, none)), expect()); got.Options != nil {
			t.Errorf("%q: %q", none, got.Options)
		}
	}
	quoted := mustParse(t, []byte(change(": plan", `: "no"`)), expect())
	if quoted.Stage != "no" {
		t.Errorf("stage is %q", quoted.Stage)
	}
}

func TestSchemaLevel(t *testing.T) {
	want := expect()
	want.Level = LevelSchema
	foreign := strings.NewReplacer("size_bytes: 298", "size_bytes: 0", "---\n\nbody", "---\nbody",
		"stage: plan", "stage: 'plan'\nextra: {nested: [1, 2]}").Replace(valid)
	got := mustParse(t, []byte(foreign), want)
	if string(got.Body) != "body\n" || got.SizeBytes != 0 {
		t.Errorf("got %+v", got)
	}
	if got := mustParse(t, []byte(valid+strings.Repeat("x", 9000)), want); !bytes.HasPrefix(got.Body, []byte("body\nx")) {
		t.Errorf("body begins %.9q", got.Body)
	}
}

func TestParseAsksTheGrammar(t *testing.T) {
	want := Expect{TaskID: "QA-0001-x", Grammar: mustGrammar(identity.Rules{TaskIDPattern: `[A-Z]{2,10}-[0-9]{4}(-[A-Za-z0-9]+)*`, Stages: []string{"ship"}})}
	file := sized(strings.NewReplacer("TUNE-0254\na", "QA-0001-x\na", ": plan", ": ship").Replace(valid))
	if got := mustParse(t, []byte(file), want); got.Stage != "ship" || got.TaskID != "QA-0001-x" {
		t.Errorf("got %+v", got)
	}
	if _, p := Parse([]byte(change(": plan", ": ship")), expect()); p == nil || p.Code != CodeBadValue {
		t.Errorf("got %+v", p)
	}
}

func TestParseRefusesABreakInEveryField(t *testing.T) {
	for _, c := range []string{`\n`, `\r`, `\x85`, `\u2028`, `\u2029`, `\0`, `\u202E`} {
		for _, value := range []string{"TUNE-0254\nart", "plan\ncom", "/dr-plan", "2026-05-21T13:45:00Z", "agent", "/dr-do\nopt"} {
			text, rest, _ := strings.Cut(value, "\n")
			if rest != "" {
				rest = "\n" + rest
			}
			// At the end, where a careless pattern's $ lets a newline through.
			file := change(": "+value, `: "`+text+c+`"`+rest)
			if _, p := Parse([]byte(file), expect()); p == nil || p.Code != CodeBadValue || !strings.Contains(p.Detail, "refused character U+") {
				t.Errorf("%s behind %s: got %+v", c, text, p)
			}
		}
	}
}
