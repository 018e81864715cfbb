package records

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/stagehook/stagehook/sdk/identity"
)

// parsers read the records of newSet.
var parsers = map[string]func(string) error{
	atContract: parser(contractKind), atEvidence: parser(evidenceKind), atBrief: parser(briefKind),
	atHead: parser(decisionKind), atGrant: parser(authorizationKind),
}

func parser[T any](k kind[T]) func(string) error {
	return func(text string) error {
		_, _, err := k.parse([]byte(text), defaultGrammar)
		return err
	}
}

// optional are the keys that a record may leave out.
var optional = []string{"parent", "supersedes", "authorization", "scope_advance", "expires_at"}

// Every key is needed, in its own spelling and once, and no other is known; this
// holds in the mappings and lists below as well.
func TestKeys(t *testing.T) {
	for path, parse := range parsers {
		text := newSet().linked()[path]
		var root yaml.Node
		if err := yaml.Unmarshal([]byte(text), &root); err != nil {
			t.Fatal(err)
		}
		check := func(what string, accepted bool) {
			t.Helper()
			changed, err := yaml.Marshal(&root)
			if err != nil {
				t.Fatal(err)
			}
			if err := parse(string(changed)); (err == nil) != accepted {
				t.Errorf("%s: %s: got %v", path, what, err)
			}
		}
		var walk func(node *yaml.Node, name string)
		walk = func(node *yaml.Node, name string) {
			for i, child := range node.Content {
				if node.Kind != yaml.MappingNode {
					walk(child, name)
					continue
				}
				if i%2 == 1 {
					continue
				}
				pairs, value := node.Content, node.Content[i+1]
				name := name + "." + child.Value

				node.Content = slices.Delete(slices.Clone(pairs), i, i+2)
				check(name+" left out", slices.Contains(optional, child.Value))
				node.Content = append(slices.Clone(pairs), child, value)
				check(name+" twice", false)
				node.Content = append(slices.Clone(pairs), &yaml.Node{Kind: yaml.ScalarNode, Value: strings.ToUpper(child.Value)}, value)
				check(name+" in upper case", false)
				node.Content = pairs

				for _, other := range []string{"null", "[]", "{}", "[x]", "{x: y}", "true", "1.5", "''", `"a\nb"`, `"a\u202Eb"`} {
					var doc yaml.Node
					if err := yaml.Unmarshal([]byte(other), &doc); err != nil {
						t.Fatal(err)
					}
					pairs[i+1] = doc.Content[0]
					check(name+" is "+other, acceptable(child.Value, other))
				}
				pairs[i+1] = value
				walk(value, name)
			}
		}
		check("unchanged", true)
		walk(root.Content[0], "")
	}
}

// acceptable reports whether a key can hold a value of TestKeys.
func acceptable(key, value string) bool {
	switch key {
	case "text": // which people read
		return value == "''" || value == `"a\nb"`
	case "scope", "scope_advance":
		return value == "[]" || value == "[x]"
	case "criteria", "evidence", "inputs":
		return value == "[]"
	}
	return false
}

func TestMalformed(t *testing.T) {
	const id = "a letter or digit, then at most 63 letters, digits, dots, underscores or hyphens"
	for _, c := range []struct{ path, old, new, want string }{
		{atHead, "kind: DecisionRecord", "kind: Decision", "line 1: kind must be DecisionRecord"},
		{atHead, "kind: DecisionRecord", "KIND: DecisionRecord", "line 1: unknown key KIND"},
		{atHead, "decided_by: operator\n", "", "line 1: decided_by is missing"},
		{atHead, "kind: DecisionRecord", "kind: decisionrecord", "line 1: kind must be DecisionRecord"},
		{atHead, "kind: DecisionRecord", "kind: Authorization", "line 1: kind must be DecisionRecord"},
		{atHead, "schema_version: 1", "schema_version: 2", "line 2: schema_version must be 1"},
		{atHead, "schema_version: 1", "schema_version: '1'", "line 2: schema_version must be 1"},
		{atHead, "schema_version: 1", "schema_version: 1.0", "line 2: schema_version must be 1"},
		{atHead, "schema_version: 1", "schema_version: 01", "line 2: schema_version must be 1"},

		{atHead, "id: DR-1\ntask", "id: 1\ntask", "line 3: id must be a string"},
		{atHead, "id: DR-1\ntask", "id: DR/1\ntask", "line 3: id must be " + id},
		{atHead, "id: DR-1\ntask", "id: .DR\ntask", "line 3: id must be " + id},
		{atHead, "id: DR-1\ntask", "id: ../DR-1\ntask", "line 3: id must be " + id},
		{atHead, "id: DR-1\ntask", "id: ДР\ntask", "line 3: id must be " + id},
		{atHead, "id: DR-1\ntask", "id: \"DR-1\\n\"\ntask", "line 3: id: holds the refused character U+000A"},
		{atHead, "id: DR-1\ntask", "id: " + strings.Repeat("x", 65) + "\ntask", "line 3: id must be " + id},
		{atHead, "authorization: AUTH-7", "authorization: ../../x", "line 10: authorization must be " + id},
		{atHead, "task_id: TUNE-0254", "task_id: tune-0254", "line 4: task_id must be a task ID"},
		{atHead, "task_id: TUNE-0254", "task_id: ../TUNE-0254", "line 4: task_id must be a task ID"},
		{atContract, "{task_id: TUNE-0200", "{task_id: ../../TUNE-0200", "line 5: parent.task_id must be a task ID"},

		{atHead, "status: accepted", "status: Accepted", "line 6: status must be one of proposed, accepted, withdrawn"},
		{atHead, "token: advance", "token: skip", "line 12: route.token must be one of advance, return, hold, close"},
		{atHead, `"/dr-do TUNE-0254"`, "rm -rf /", "line 12: route.command must be a command such as /dr-do, perhaps with arguments"},
		{atHead, "scope_advance: [implementation]", "scope_advance: [a, b, a]", "line 11: scope_advance holds a twice"},
		{atHead, "scope_advance: [implementation]", "scope_advance: [a, 1]", "line 11: scope_advance[2] must be a string"},
		{atHead, "scope_advance: [implementation]", "scope_advance: [a b]", "line 11: scope_advance[1] must be " + id},
		{atHead, "scope_advance: [implementation]", "scope_advance:\n- a\n- -b", "line 13: scope_advance[2] must be " + id},
		{atEvidence, "status: met", "status: done", "line 8: evidence[1].status must be one of met, partial, missed, n-a"},
		{atEvidence, "evidence:\n", "evidence:\n  - {id: EV-1, criterion: AC-1, status: met, path: x, digest: \"sha256:" + strings.Repeat("0", 64) + "\"}\n", "line 9: evidence holds the id EV-1 twice"},
		{atContract, "criteria:\n", "criteria:\n  - {id: AC-1, text: x}\n", "line 9: criteria holds the id AC-1 twice"},
		{atHead, "decided_by: operator", "decided_by: operator\nfoo: bar", "line 14: unknown key foo"},
		{atHead, "token: advance", "token: advance, foo: bar", "line 12: unknown key route.foo"},
		{atHead, "token: advance", `token: advance, "a\nb\e": bar`, "line 12: unknown key route.a b "},
		{atEvidence, "status: met", "status: met, foo: bar", "line 8: unknown key evidence[1].foo"},

		{atHead, "\nrevision: 2", "\nrevision: '2'", "line 5: revision must be a whole number from 1 to 999999999, in decimal digits"},
		{atBrief, "revision: 4", "revision: 1000000000", "line 7: inputs[1].revision must be a whole number from 1 to 999999999, in decimal digits"},

		{atHead, "sha256:", "SHA256:", "line 7: supersedes.digest must be sha256: and 64 lower-case hex digits"},
		{atEvidence, "sha256:", "sha256:0", "line 5: acceptance.digest must be sha256: and 64 lower-case hex digits"},

		{atHead, "kind:", "{kind:", "line 2: is no valid YAML: did not find expected ',' or '}'"},
		{atHead, "kind: DecisionRecord", "- x", "line 2: is no valid YAML: did not find expected '-' indicator"},
		{atHead, "decided_by: operator\n", "decided_by: operator\n---\n", "line 14: a second document begins here"},
		{atHead, "decided_by: operator\n", "decided_by: operator\ndecided_by: operator\n", `line 14: the key "decided_by" comes twice`},
		{atHead, "decided_by: operator", "decided_by: &a operator", "line 13: aliases and anchors are not allowed"},
		{atHead, "decided_by: operator", "decided_by: ! operator", "line 13: tags are not allowed"},
		{atHead, "decided_by: operator", "decided_by: !!str operator", "line 13: tags are not allowed"},
		{atHead, "decided_by: operator", "<<: {a: b}", "line 13: merge keys are not allowed"},
		{atHead, "decided_by: operator", "[a]: b", "line 13: a key must be a plain word"},
		{atHead, "decided_by: operator", "x: " + strings.Repeat("[", 15) + "a" + strings.Repeat("]", 15), "line 13: nests deeper than 16 levels"},
		{atHead, "kind:", "%YAML 1.2\n---\nkind:", "line 1: directives are not allowed"},
		{atHead, "kind:", "# x\n%TAG ! a:\n---\nkind:", "line 2: directives are not allowed"},
		{atHead, "decided_by: operator\n", "decided_by: |\n%YAML 1.2\n", "line 14: directives are not allowed"},
		{atHead, "kind:", "\uFEFFkind:", "line 1: holds the refused character U+FEFF"},
		{atHead, "kind:", "\uFEFF%YAML 1.2\n---\nkind:", "line 1: holds the refused character U+FEFF"},
		{atHead, "decided_by: operator", "\uFEFF%decided_by: operator", "line 13: holds the refused character U+FEFF"},
		{atHead, "operator", "oper\x00ator", "line 13: holds the refused character U+0000"},
		{atHead, "operator", "oper\xffator", "line 13: holds the byte 0xFF, which is not UTF-8"},
		{atHead, "operator", "oper\uFFFFator", "line 13: holds the refused character U+FFFF"},
		{atHead, "operator", "operator # \u0085status: accepted", "line 13: holds the refused character U+0085"},
		{atHead, "operator", "operator # \u2028status: accepted", "line 13: holds the refused character U+2028"},
		{atHead, "operator", "operator # \rstatus: accepted", "line 13: holds the refused character U+000D"},
		{atHead, "operator\n", "operator\r\r\n", "line 13: holds the refused character U+000D"},
		{atHead, "operator", "operator # \u202e", "line 13: holds the refused character U+202E"},
		{atHead, "operator", "operator # \x1b[2J", "line 13: holds the refused character U+001B"},
		{atHead, "status:", "\tstatus:", "line 5: is no valid YAML: found a tab character that violates indentation"},
	} {
		files := newSet().linked()
		files[c.path] = strings.Replace(files[c.path], c.old, c.new, 1)
		report := verify(t, newMemory(files), query())
		got := ""
		for _, r := range report.Result.Refusals {
			if r.Path == c.path && r.Code == CodeMalformed {
				got = r.Detail
			}
		}
		if got != c.want {
			t.Errorf("%s: %q for %q:\n got  %s\n want %s", c.path, c.new, c.old, got, c.want)
		}
	}
}

func TestWholeRecordsThatAreMalformed(t *testing.T) {
	head := newSet().linked()[atHead]
	utf16 := "\xff\xfe"
	for _, c := range head {
		utf16 += string(c) + "\x00"
	}
	for name, text := range map[string]string{
		"empty":           "",
		"only a comment":  "# x\n",
		"null":            "null\n",
		"a list":          "- " + strings.ReplaceAll(head, "\n", "\n  ") + "\n",
		"a text":          "kind\n",
		"UTF-16":          utf16,
		"an alias bomb":   "a: &a [x, x]\nb: &b [*a, *a]\n",
		"an unhashable":   "{{},<<}",
		"a hundred lists": strings.Repeat("[", maxRecordBytes-1),
	} {
		if parsers[atHead](text) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestSpellingsThatAreAccepted(t *testing.T) {
	for _, c := range []struct{ path, old, new string }{
		{atHead, "kind:", "---\nkind:"},
		{atHead, "decided_by: operator", "decided_by: 'operator'"},
		{atHead, "decided_by: operator", "decided_by: >-\n  operator\n  two"},
		{atHead, "decided_by: operator", `"decided_by": "oper\u0061tor"`},
		{atHead, "decided_by: operator", "decided_by:\toperator\t# оператор →"},
		{atHead, "decided_at: 2026-10-01T12:00:00Z\n", "decided_at: 2026-10-01T12:00:00Z\n...\n"},
		{atHead, "decided_at: 2026-10-01T12:00:00Z\n", "decided_at: 2026-10-01T12:00:00Z"},
		{atHead, "id: DR-1\ntask", "id: no\ntask"},
		{atHead, "id: DR-1\ntask", "id: '1'\ntask"},
		{atHead, "id: DR-1\ntask", "id: " + strings.Repeat("x", 64) + "\ntask"},
		{atHead, "\nrevision: 2", "\nrevision: 999999999"},
		{atHead, "/dr-do TUNE-0254", "/dr-do слово --x a,b"},
		{atContract, "text: \"the writer survives kill -9\"", "text: ''"},
	} {
		text := newSet().linked()[c.path]
		if changed := strings.Replace(text, c.old, c.new, 1); changed == text || parsers[c.path](changed) != nil {
			t.Errorf("%s: %q for %q: %v", c.path, c.new, c.old, parsers[c.path](changed))
		}
	}
	// Line ends of another system, in all records.
	run(t, []verifyCase{{name: "carriage returns", edit: func(s set) {
		for path, text := range s {
			s[path] = strings.ReplaceAll(text, "\n", "\r\n")
		}
	}}})
}

func TestNumbers(t *testing.T) {
	text := newSet().linked()[atHead]
	for value, accepted := range map[string]bool{
		"1": true, "10": true, "999999999": true,
		"0": false, "-1": false, "+1": false, "01": false, "1_0": false, "0x1": false, "0b1": false, "0o1": false, "1.0": false, "1e1": false,
		"1000000000": false, "9223372036854775808": false, "99999999999999999999": false, strings.Repeat("9", 1000): false,
		"'1'": false, "\"1\"": false, "null": false, "": false, "~": false, "true": false, "[1]": false, ".inf": false, "1 2": false, "١": false,
	} {
		if err := parsers[atHead](strings.Replace(text, "\nrevision: 2", "\nrevision: "+value, 1)); (err == nil) != accepted {
			t.Errorf("revision: %s: got %v", value, err)
		}
	}
}

func TestTimes(t *testing.T) {
	text := newSet().linked()[atGrant]
	for value, accepted := range map[string]bool{
		"2026-12-31T00:00:00Z": true, "'2026-12-31T00:00:00Z'": true, "2026-12-31T00:00:00+02:00": true, "2026-12-31T00:00:00.25-11:30": true,
		"2026-12-31t00:00:00z": true, "0001-01-01T00:00:00Z": true, "9999-12-31T23:59:59Z": true, "2024-02-29T00:00:00Z": true,
		"2026-12-31T00:00:00": false, "2026-12-31": false, "2026-12-31 00:00:00": false, "2026-12-31 00:00:00Z": false, "2026-12-31T00:00Z": false,
		"2026-12-31T23:59:60Z": false, "2026-12-31T24:00:00Z": false, "2026-02-30T00:00:00Z": false, "2025-02-29T00:00:00Z": false,
		"2026-12-31T00:00:00 Z": false, "2026-12-31T00:00:00UTC": false, "2026-12-31T00:00:00+0200": false, "9999-12-31T23:59:59-01:00": false,
		"1767139200": false, "null": false, "''": false, "never": false, "[2026-12-31T00:00:00Z]": false,
	} {
		if err := parsers[atGrant](strings.Replace(text, "2026-12-31T00:00:00Z", value, 1)); (err == nil) != accepted {
			t.Errorf("expires_at: %s: got %v", value, err)
		}
	}
}

func TestPaths(t *testing.T) {
	text := newSet().linked()[atEvidence]
	for value, accepted := range map[string]bool{
		"x": true, "a/b c.md": true, "каталог/файл.md": true, "..x": true, "a/..b": true, strings.Repeat("x", 1024): true,
		// These lead out, which is refused when they are read.
		"../x": true, "..": true, "/etc/passwd": true,
		"''": false, ".": false, "./x": false, "a//b": false, "a/": false, "a/../b": false, "a/./b": false, "a/../../x": false, "//x": false,
		`"a\tb"`: false, `"a\0b"`: false, strings.Repeat("x", 1025): false, "7": false,
	} {
		if err := parsers[atEvidence](strings.Replace(text, "path: "+atReport, "path: "+value, 1)); (err == nil) != accepted {
			t.Errorf("path: %s: got %v", value, err)
		}
	}
}

// Task IDs follow the configured pattern, in the query, in records and in
// projections.
func TestOtherTaskIDs(t *testing.T) {
	grammar, err := identity.New(identity.Rules{TaskIDPattern: `^[A-Z]{2,10}-[0-9]{4}(-[A-Za-z0-9]+)*$`})
	if err != nil {
		t.Fatal(err)
	}
	files := set{}
	rename := strings.NewReplacer("TUNE-0254", "TUNE-0254-FU-2", "TUNE-0200", "TUNE-0200-x")
	for path, text := range newSet() {
		files[rename.Replace(path)] = rename.Replace(text)
	}
	q := query()
	q.TaskID = "TUNE-0254-FU-2"
	q.Body = []byte(rename.Replace(projectionOf("DR-1@1")))
	if report := verify(t, newMemory(files.linked()), q); report.Result.Fresh() {
		t.Error("the default pattern was used")
	}
	q.Grammar = grammar
	report := verify(t, newMemory(files.linked()), q)
	if !report.Result.Fresh() {
		t.Errorf("refused: %+v", report.Result.Refusals)
	}
}

// A record that lists as much as it can hold is checked in no time, however it is
// spelled.
func TestLargestRecords(t *testing.T) {
	var names, items strings.Builder
	for i := 0; names.Len() < maxRecordBytes-2000; i++ {
		fmt.Fprintf(&names, "a%d,", i)
	}
	for i := 0; items.Len() < maxRecordBytes-2000; i++ {
		fmt.Fprintf(&items, "  - {id: X-%d, criterion: AC-1, status: met, path: x%d, digest: \"sha256:%064d\"}\n", i, i, 0)
	}
	run(t, []verifyCase{
		{name: "scope", edit: all(
			replace(atHead, "[implementation]", "["+names.String()+"]"),
			replace(atGrant, "[implementation, review]", "["+names.String()+"]"),
			replace(atParent, "[research, design, implementation]", "["+names.String()+"]"),
		)},
		{name: "scope that was not granted", edit: replace(atHead, "[implementation]", "["+names.String()+"]"), want: slices.Concat(
			[]string{" scope-exceeded"}, slices.Repeat([]string{atHead + " scope-exceeded"}, maxRefusals),
		)},
		{name: "evidence", edit: func(s set) { s[atEvidence] += items.String() }, want: slices.Concat(
			[]string{" evidence-mismatch"}, slices.Repeat([]string{atEvidence + " evidence-mismatch"}, maxRefusals),
		)},
	})
}
