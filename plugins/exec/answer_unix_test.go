//go:build unix

package exec

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
)

// printing is the plugin with a helper that prints a text and ends with a code.
func printing(t *testing.T, text, code string) *sdk.Spec {
	t.Helper()
	file := filepath.Join(t.TempDir(), "answer")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return configured(t, "sh", "-c", `cat "$1"; exit "$2"`, "helper", file, code)
}

func TestFreshAnswer(t *testing.T) {
	at := time.Date(2026, 10, 2, 8, 0, 0, 0, time.UTC)
	got := revalidate(t, t.Context(), printing(t, "\n "+fresh+" \n\n", "0"), request(t.TempDir()))
	want := &sdk.RevalidateResult{
		Route:     &sdk.Route{Command: "/dr-do TUNE-0254", Token: sdk.Token{Type: "advance", Value: "advance:1"}},
		CheckedAt: at,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}

	// What the built-in revalidator would say comes through whole.
	full := &sdk.RevalidateResult{
		Route: want.Route, CheckedAt: at, Lineage: []string{"DR-1@1", "DR-1@2"},
		Decision:       &hook.RecordRef{ID: "DR-1", Revision: 2, Digest: "sha256:d"},
		Contract:       &hook.ContractRef{TaskID: task, Revision: 2, Digest: "sha256:c", Scope: []string{"research"}},
		ParentContract: &hook.ContractRef{TaskID: "TUNE-0200", Digest: "sha256:p"},
	}
	document, err := encode(full.Document(task))
	if err != nil {
		t.Fatal(err)
	}
	if got := revalidate(t, t.Context(), printing(t, string(document), "0"), request(t.TempDir())); !reflect.DeepEqual(got, full) {
		t.Errorf("got %+v", got)
	}

	confirms := `{"schema":"stagehook.route/1","task_id":"TUNE-0254","verdict":"fresh","checked_at":"2026-10-02T10:00:00+02:00"}`
	got = revalidate(t, t.Context(), printing(t, confirms, "0"), request(t.TempDir()))
	if !reflect.DeepEqual(got, &sdk.RevalidateResult{CheckedAt: at}) {
		t.Errorf("got %+v", got)
	}
}

// Whatever is not one good object is never fresh, with an exit code 0.
func TestAnswersThatDoNotCount(t *testing.T) {
	with := func(old, new string) string {
		if !strings.Contains(fresh, old) {
			t.Fatalf("%s is not in the answer", old)
		}
		return strings.Replace(fresh, old, new, 1)
	}
	const prefix = "the helper's answer does not count: "
	for name, test := range map[string]struct{ printed, detail string }{
		"nothing":                {"", "there is no object"},
		"blanks":                 {" \n", "there is no object"},
		"two objects":            {fresh + "\n" + fresh, "something follows"},
		"text behind":            {fresh + " done", "something follows"},
		"text before":            {"checking\n" + fresh, "it is no object"},
		"half":                   {fresh[:len(fresh)/2], "it is no object"},
		"all but the end":        {fresh[:len(fresh)-1], "it is no object"},
		"a list":                 {"[" + fresh + "]", "it is no object"},
		"null":                   {"null", "its schema is"},
		"a string":               {`"fresh"`, "it is no object"},
		"empty object":           {"{}", "its schema is"},
		"byte order mark":        {"\ufeff" + fresh, "it is no object"},
		"unknown key":            {with(`"verdict"`, `"by":"me","verdict"`), "unknown field"},
		"unknown key below":      {with(`"type"`, `"by":"me","type"`), "unknown field"},
		"wrong schema":           {with("stagehook.route/1", "stagehook.route/2"), "its schema is"},
		"no schema":              {with(`"schema":"stagehook.route/1",`, ""), "its schema is"},
		"wrong task":             {with("TUNE-0254", "TUNE-0255"), "it is for the task"},
		"task in another case":   {with("TUNE-0254", "Tune-0254"), "it is for the task"},
		"no task":                {with(`"task_id":"TUNE-0254",`, ""), "it is for the task"},
		"no verdict":             {with(`"verdict":"fresh",`, ""), "its verdict is"},
		"another verdict":        {with(`"fresh"`, `"Fresh"`), "its verdict is"},
		"fresh and refused":      {with(`"route"`, `"refusals":[{"code":"a","path":"","detail":""}],"route"`), "fresh and refuses"},
		"no time":                {with(`,"checked_at":"2026-10-02T08:00:00Z"`, ""), "its checked_at"},
		"a date":                 {with("2026-10-02T08:00:00Z", "2026-10-02"), "its checked_at"},
		"zero time":              {with("2026-10-02T08:00:00Z", "0001-01-01T00:00:00Z"), "its checked_at"},
		"before all years":       {with("2026-10-02T08:00:00Z", "0000-01-01T00:00:00+01:00"), "its checked_at"},
		"after all years":        {with("2026-10-02T08:00:00Z", "9999-12-31T23:59:59-01:00"), "its checked_at"},
		"route without command":  {with("/dr-do TUNE-0254", ""), "its route"},
		"route is no command":    {with("/dr-do TUNE-0254", "rm -rf"), "its route"},
		"route of two lines":     {with("/dr-do TUNE-0254", `/dr-do\n/dr-plan`), "its route"},
		"negative revision":      {with(`"route"`, `"decision":{"id":"a","revision":-1,"digest":""},"route"`), "the revision -1"},
		"negative contract":      {with(`"route"`, `"contract":{"task_id":"a","revision":-1,"digest":""},"route"`), "the revision -1"},
		"revision with fraction": {with(`"route"`, `"decision":{"id":"a","revision":1.5,"digest":""},"route"`), "it is no object"},
		"key twice":              {with(`"verdict"`, `"verdict":"refused","verdict"`), "twice"},
		"key twice below":        {with(`"type"`, `"type":"hold","type"`), "twice"},
		"key in another case":    {with(`"verdict"`, `"VERDICT"`), "not in lower case"},
		"key twice, by case":     {with(`"verdict":"fresh"`, `"verdict":"refused","Verdict":"fresh"`), "not in lower case"},
		"key twice, by folding":  {with(`"tas`, `"ta\u017fk_id":"OTHER-0001","tas`), "not in lower case"},
		"no UTF-8":               {with("advance:1", "\xff"), "not UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			result := revalidate(t, t.Context(), printing(t, test.printed, "0"), request(t.TempDir()))
			wantRefusal(t, result, codeFailed, test.detail)
			if len(result.Refusals) == 1 && !strings.HasPrefix(result.Refusals[0].Detail, prefix) {
				t.Errorf("detail %q", result.Refusals[0].Detail)
			}
		})
	}
}

func TestOnlyExitCodeZeroIsFresh(t *testing.T) {
	wantRefusal(t, revalidate(t, t.Context(), printing(t, fresh, "1"), request(t.TempDir())), codeFailed, "the helper ended with exit code 1")
	spec := script(t, `echo '`+fresh+`'; kill -9 $$`)
	wantRefusal(t, revalidate(t, t.Context(), spec, request(t.TempDir())), codeFailed, "the helper ended with signal: killed")
	spec = script(t, `printf 'first\nout of \033[31mcheese\n' >&2; exit 3`)
	wantRefusal(t, revalidate(t, t.Context(), spec, request(t.TempDir())), codeFailed, "the helper ended with exit code 3: out of  [31mcheese")
}

// A helper may say refused with the exit code that stagehook itself uses.
func TestRefusedAnswer(t *testing.T) {
	for _, code := range []string{"0", "4"} {
		result := revalidate(t, t.Context(), printing(t, refusedAnswer, code), request(t.TempDir()))
		want := []sdk.Refusal{{Code: codeRefused, Path: "datarim/freeze", Detail: "frozen: work is stopped"}}
		if result.Fresh() || !reflect.DeepEqual(result.Refusals, want) {
			t.Errorf("exit code %s: %+v", code, result)
		}
	}
	for _, refusals := range []string{"", `,"refusals":[]`} {
		bare := `{"schema":"stagehook.route/1","task_id":"TUNE-0254","verdict":"refused"` + refusals + `}`
		wantRefusal(t, revalidate(t, t.Context(), printing(t, bare, "0"), request(t.TempDir())), codeRefused, "gives no reason")
	}
}
