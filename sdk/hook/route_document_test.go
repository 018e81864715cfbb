package hook

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

// wholeResult is a fresh result with everything in it.
func wholeResult() *RevalidateResult {
	return &RevalidateResult{
		Route:          &Route{Command: "/dr-do TUNE-0254", Token: Token{Type: "advance", Value: "advance:DR-1@2:3f0c9a1b2c4d"}},
		Decision:       &RecordRef{ID: "DR-1", Revision: 2, Digest: "sha256:d"},
		Lineage:        []string{"DR-1@1", "DR-1@2"},
		Contract:       &ContractRef{TaskID: "TUNE-0254", Revision: 2, Digest: "sha256:c", Scope: []string{"research", "design"}},
		ParentContract: &ContractRef{TaskID: "TUNE-0200", Digest: "sha256:p"},
		CheckedAt:      time.Date(2026, 10, 2, 8, 0, 0, 0, time.UTC),
	}
}

const wholeDocument = `{"schema":"stagehook.route/1","task_id":"TUNE-0254","verdict":"fresh",` +
	`"route":{"command":"/dr-do TUNE-0254","token":{"type":"advance","value":"advance:DR-1@2:3f0c9a1b2c4d"}},` +
	`"decision":{"id":"DR-1","revision":2,"digest":"sha256:d"},"lineage":["DR-1@1","DR-1@2"],` +
	`"contract":{"task_id":"TUNE-0254","revision":2,"digest":"sha256:c","scope":["research","design"]},` +
	`"parent_contract":{"task_id":"TUNE-0200","digest":"sha256:p"},"checked_at":"2026-10-02T08:00:00Z"}`

func TestRouteDocument(t *testing.T) {
	refused := &RevalidateResult{Refusals: []Refusal{{Code: "records-missing", Path: "datarim/x", Detail: "absent"}, {Code: "policy"}}}
	for want, result := range map[string]*RevalidateResult{
		wholeDocument: wholeResult(),
		`{"schema":"stagehook.route/1","task_id":"TUNE-0254","verdict":"fresh","checked_at":"2026-10-02T08:00:00Z"}`:                                                                                    {CheckedAt: wholeResult().CheckedAt},
		`{"schema":"stagehook.route/1","task_id":"TUNE-0254","verdict":"refused","refusals":[{"code":"records-missing","path":"datarim/x","detail":"absent"},{"code":"policy","path":"","detail":""}]}`: refused,
	} {
		text, err := json.Marshal(result.Document("TUNE-0254"))
		if err != nil || string(text) != want {
			t.Errorf("got %s, %v\nwant %s", text, err, want)
		}
		document, again, err := ParseRouteDocument([]byte(" " + want + "\n"))
		if err != nil || document.TaskID != "TUNE-0254" || !reflect.DeepEqual(again, result) {
			t.Errorf("%s was read as %+v, %v", want, again, err)
		}
	}
}

// A result with a refusal shows nothing that somebody could follow.
func TestRefusedRouteDocumentHoldsNoRoute(t *testing.T) {
	result := wholeResult()
	result.Refusals = []Refusal{{Code: "policy", Detail: "not today"}}
	text, err := json.Marshal(result.Document("TUNE-0254"))
	if want := `{"schema":"stagehook.route/1","task_id":"TUNE-0254","verdict":"refused","refusals":[{"code":"policy","path":"","detail":"not today"}]}`; err != nil || string(text) != want {
		t.Errorf("got %s, %v; want %s", text, err, want)
	}
	result = wholeResult()
	result.CheckedAt = time.Time{}
	if got := result.Document("TUNE-0254"); got.Verdict != RouteRefused || got.Route != nil {
		t.Errorf("unchecked: %+v", got)
	}
}

func TestRouteDocumentInAnotherZone(t *testing.T) {
	text := strings.Replace(wholeDocument, "08:00:00Z", "11:00:00+03:00", 1)
	if _, result, err := ParseRouteDocument([]byte(text)); err != nil || !reflect.DeepEqual(result, wholeResult()) {
		t.Errorf("%+v, %v", result, err)
	}
	result := wholeResult()
	result.CheckedAt = result.CheckedAt.In(time.FixedZone("", 3*60*60))
	if got := result.Document("TUNE-0254").CheckedAt; got != "2026-10-02T08:00:00Z" {
		t.Errorf("checked_at is %s", got)
	}
}

func TestNoRouteDocument(t *testing.T) {
	change := func(old, changed string) string {
		if !strings.Contains(wholeDocument, old) {
			t.Fatalf("there is no %s", old)
		}
		return strings.Replace(wholeDocument, old, changed, 1)
	}
	for text, want := range map[string]string{
		"":                             "there is no object",
		" \n":                          "there is no object",
		"null":                         "its schema is ",
		"{}":                           "its schema is ",
		"[]":                           "it is no object of the schema ",
		`"fresh"`:                      "it is no object of the schema ",
		"fresh":                        "it is no object of the schema ",
		wholeDocument[:40]:             "it is no object of the schema ",
		wholeDocument + "x":            "something follows the object",
		wholeDocument + wholeDocument:  "something follows the object",
		change("route/1", "route/2"):   `its schema is "stagehook.route/2"`,
		change(`"fresh"`, `"FRESH"`):   `its verdict is "FRESH"`,
		change(`"fresh"`, `""`):        `its verdict is ""`,
		change(`"verdict"`, `"x"`):     "it is no object of the schema ",
		change(`"id"`, `"x"`):          "it is no object of the schema ",
		change(`"fresh"`, `true`):      "it is no object of the schema ",
		change("/dr-do", "rm -rf"):     "its route.command: ",
		change("/dr-do", `/dr-do\n`):   "its route.command: ",
		change("/dr-do TUNE-0254", ""): "its route.command: ",
		change(`"advance"`, `"go"`):    `its route.token: the type "go" is none of `,
		change(`"advance"`, `"hold"`):  "its route.token: the type hold is not fresh",
		change(`"advance"`, `""`):      `its route.token: the type "" is none of `,
		"checking\n" + wholeDocument:   `it is no object of the schema stagehook.route/1: it begins with "checking", and is no JSON: `,
		`{"refusals":["nope"]}`:        `it is no object of the schema stagehook.route/1: refusals must not be of the type string`,
		change("2026-10-02T08:00:00Z", "2026-10-02 08:00:00"):            `its checked_at is "2026-10-02 08:00:00"`,
		change("2026-10-02T08:00:00Z", "0000-06-01T00:00:00Z"):           `its checked_at is "0000-`,
		change("2026-10-02T08:00:00Z", "0001-01-01T00:00:00Z"):           `its checked_at is "0001-`,
		change(`,"checked_at":"2026-10-02T08:00:00Z"`, ""):               `its checked_at is ""`,
		change(`"checked_at"`, `"refusals":[{"code":"x"}],"checked_at"`): "it says fresh and refuses",
	} {
		if _, result, err := ParseRouteDocument([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) || result != nil {
			t.Errorf("%s: %+v, %v; want %s", text, result, err, want)
		}
	}
}
