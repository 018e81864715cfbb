package snapshot

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// valid is the rendered example; the cases below change one thing each.
const valid = `---
task_id: TUNE-0254
artifact: stage-snapshot
schema_version: 1
stage: plan
command: /dr-plan
captured_at: 2026-05-21T13:45:00Z
captured_by: agent
recommended_next: /dr-do
options:
  - "/dr-do TUNE-0254 | implementation"
  - "/dr-status | escape hatch"
size_bytes: 298
truncated: false
---

body
`

// change returns valid with old replaced, its size made true again.
func change(old, new string) string {
	if strings.Count(valid, old) != 1 {
		panic(fmt.Sprintf("%q is there %d times", old, strings.Count(valid, old)))
	}
	return sized(strings.Replace(valid, old, new, 1))
}

func sized(file string) string {
	return strings.Replace(file, "size_bytes: 298\n", fmt.Sprintf("size_bytes: %d\n", len(file)), 1)
}

// What a case is at schema level.
const (
	passes = ""
	both   = "malformed for the same reason"
)

var problemCases = []struct {
	name, file   string
	code, detail string
	schema       string // passes, both or another code
}{
	{"too large", valid + strings.Repeat("x", 8192), CodeTooLarge, "the file has 8490 bytes, more than 8192", passes},
	{"a byte", sized(valid + "a\xffb\n"), CodeNotUTF8, "line 18 holds the byte 0xFF, which is not UTF-8", passes},
	{"half a rune at the end", sized(valid + "\xd1"), CodeNotUTF8, "line 18 holds the byte 0xD1, which is not UTF-8", passes},
	{"UTF-16", "\xff\xfe-\x00-\x00-\x00\n\x00", CodeNotUTF8, "line 1 holds the byte 0xFF, which is not UTF-8", CodeNoOpeningFence},
	{"NUL in the body", sized(valid + "\x00"), CodeNUL, "line 18 holds a NUL byte", passes},
	{"empty", "", CodeEmpty, "the file is empty", both},
	{"BOM", "\uFEFF" + valid, CodeBOM, "the file begins with a byte order mark", both},
	{"blank line first", "\n" + valid, CodeNoOpeningFence, "line 1 is blank, not the opening fence ---", both},
	{"spaces first", "  \n" + valid, CodeNoOpeningFence, "line 1 is blank, not the opening fence ---", both},
	{"text first", "Note\n" + valid, CodeNoOpeningFence, `line 1 is not the opening fence --- but "Note"`, both},
	{"opening fence with a space", "--- " + valid[3:], CodeNoOpeningFence, `line 1 is not the opening fence --- but "--- "`, both},
	{"opening fence with text", "---x" + valid[3:], CodeNoOpeningFence, `line 1 is not the opening fence --- but "---x"`, both},
	{"four hyphens", "-" + valid, CodeNoOpeningFence, `line 1 is not the opening fence --- but "----"`, both},
	{"only a newline", "\n", CodeNoOpeningFence, "line 1 is blank, not the opening fence ---", both},
	{"only a fence", "---\n", CodeNoClosingFence, "no line after the first is the closing fence ---", both},
	{"only a fence, no newline", "---", CodeNoClosingFence, "no line after the first is the closing fence ---", both},
	{"no closing fence", valid[:strings.LastIndex(valid, "---")], CodeNoClosingFence, "no line after the first is the closing fence ---", both},
	{"closing fence with a space", change("\n---\n", "\n--- \n"), CodeNoClosingFence, "no line after the first is the closing fence ---", both},
	{"closing fence with text", change("\n---\n", "\n---x\n"), CodeNoClosingFence, "no line after the first is the closing fence ---", both},
	{"indented closing fence", change("\n---\n", "\n ---\n"), CodeNoClosingFence, "no line after the first is the closing fence ---", both},
	{"CRLF", strings.ReplaceAll(valid, "\n", "\r\n"), CodeCRInHeader, "line 1 holds a carriage return", both},
	{"CR alone", strings.ReplaceAll(valid, "\n", "\r"), CodeCRInHeader, "line 1 holds a carriage return", both},
	{"CR in a field", change("plan\ncommand", "plan\r\ncommand"), CodeCRInHeader, "line 5 holds a carriage return", both},
	{"CR in the closing fence", change("\n---\n", "\n---\r\n"), CodeCRInHeader, "line 15 holds a carriage return", both},
	{"closing fence as last byte", strings.TrimSuffix(valid, "\n\nbody\n"), CodeUnterminatedFence, "no newline after the closing fence --- in line 15", both},
	{"two fences, nothing else", "---\n---", CodeUnterminatedFence, "no newline after the closing fence --- in line 2", both},
	{"no empty line", change("---\n\nbody", "---\nbody"), CodeNoEmptyLine, "the line after the closing fence is not empty", passes},
	{"a space in the empty line", change("---\n\nbody", "---\n \nbody"), CodeNoEmptyLine, "the line after the closing fence is not empty", passes},

	{"U+0085", change("| escape", "\u0085 escape"), CodeLineSeparator, "line 12 holds the line separator U+0085", both},
	{"U+2028", change("plan\ncommand", "plan\u2028command"), CodeLineSeparator, "line 5 holds the line separator U+2028", both},
	{"U+2029", change("| escape", "\u2029 escape"), CodeLineSeparator, "line 12 holds the line separator U+2029", both},
	{"document end", change("size_bytes", "...\nsize_bytes"), CodeSecondDocument, `line 13 ends the header's YAML document: "..."`, both},
	{"document end with a comment", change("size_bytes", "... #\nsize_bytes"), CodeSecondDocument, `line 13 ends the header's YAML document: "... #"`, both},
	{"document end, last", change("\n---\n", "\n...\n---\n"), CodeSecondDocument, `line 15 ends the header's YAML document: "..."`, both},
	{"second document", change("size_bytes", "--- {}\nsize_bytes"), CodeSecondDocument, `line 13 ends the header's YAML document: "--- {}"`, both},
	{"second document without a sign", "---\n{}\nstage: plan\n---\n\n", CodeSecondDocument, "line 3: the document ends before the text does", both},
	{"not YAML", change(": plan", ": a: b"), CodeYAML, "line 5: is no valid YAML: mapping values are not allowed in this context", both},
	{"a quote in quotes", change("| escape", `"escape"`), CodeYAML, "line 11: is no valid YAML: did not find expected '-' indicator", both},
	{"a backslash in quotes", change("| escape", `\q escape`), CodeYAML, "line 12: is no valid YAML: found unknown escape character", both},
	{"control character", change(": plan", ": pl\x01an"), CodeYAML, "is no valid YAML: control characters are not allowed", both},
	{"a code point that YAML forbids", change("| escape", "\uFFFF escape"), CodeYAML, "is no valid YAML: control characters are not allowed", both},
	{"a directive", "---\n%YAML 1.2\n---\n\n", CodeSecondDocument, "line 1: the document ends before the text does", both},
	{"alias without anchor", change(": plan", ": *x"), CodeYAML, "line 5: is no valid YAML: unknown anchor 'x' referenced", both},
	{"anchor", change(": plan", ": &x plan"), CodeAnchor, "line 5: aliases and anchors are not allowed", both},
	{"anchor and alias", change(": plan\ncommand", ": &x plan\nextra: *x\ncommand"), CodeAnchor, "line 5: aliases and anchors are not allowed", both},
	{"anchor of the header", change("task_id", "&x\ntask_id"), CodeAnchor, "line 2: aliases and anchors are not allowed", both},
	{"tag", change(": plan", ": !!str plan"), CodeTag, "line 5: tags are not allowed", both},
	{"tag of an application", change(": plan", ": !stage plan"), CodeTag, "line 5: tags are not allowed", both},
	{"tag without a name", change(": plan", ": ! plan"), CodeTag, "line 5: tags are not allowed", both},
	{"tag in a list", change(`- "/dr-do`, `- ! "/dr-do`), CodeTag, "line 11: tags are not allowed", both},
	{"tag of a list", change("options:", "options: !!seq"), CodeTag, "line 10: tags are not allowed", both},
	{"tag of nothing", change("options:\n  - \"/dr-do TUNE-0254 | implementation\"\n  - \"/dr-status | escape hatch\"", "options: !"), CodeTag, "line 10: tags are not allowed", both},
	{"tag of a key", change("stage: plan", "!!str stage: plan"), CodeTag, "line 5: tags are not allowed", both},
	{"merge key", change("stage: plan", "stage: plan\n<<: {a: b}"), CodeMergeKey, "line 6: merge keys are not allowed", both},
	{"a list", "---\n- task_id\n---\n\n", CodeNotMapping, "line 2: the header is not a mapping", both},
	{"a scalar", "---\ntask_id\n---\n\n", CodeNotMapping, "line 2: the header is not a mapping", both},
	{"duplicate key", change("stage: plan", "stage: plan\nstage: plan"), CodeDuplicateKey, `line 6: the key "stage" comes twice`, both},
	{"duplicate key, quoted", change("stage: plan", "stage: plan\n\"stage\": do"), CodeDuplicateKey, `line 6: the key "stage" comes twice`, both},
	{"a key that is no string", change("stage: plan", "stage: plan\n1: x"), CodeUnknownKey, "line 6: a key is not a string", both},
	{"a key that is a list", change("stage: plan", "stage: plan\n? [a]\n: x"), CodeUnknownKey, "line 6: a key must be a plain word", both},
	{"unknown key", change("stage: plan", "stage: plan\nmood: good"), CodeUnknownKey, `line 6: "mood" is no field of this header`, passes},
	{"a key in another case", change("stage: plan", "stage: plan\nStage: plan"), CodeUnknownKey, `line 6: "Stage" is no field of this header`, passes},

	{"empty header", "---\n---\n\n", CodeMissingField, "task_id is missing", both},
	{"comment as header", "---\n# nothing\n---\n\n", CodeMissingField, "task_id is missing", both},
	{"missing task_id", change("task_id: TUNE-0254\n", ""), CodeMissingField, "task_id is missing", both},
	{"missing artifact", change("artifact: stage-snapshot\n", ""), CodeMissingField, "artifact is missing", both},
	{"missing schema_version", change("schema_version: 1\n", ""), CodeMissingField, "schema_version is missing", both},
	{"missing stage", change("stage: plan\n", ""), CodeMissingField, "stage is missing", both},
	{"missing command", change("command: /dr-plan\n", ""), CodeMissingField, "command is missing", both},
	{"missing captured_at", change("captured_at: 2026-05-21T13:45:00Z\n", ""), CodeMissingField, "captured_at is missing", both},
	{"missing captured_by", change("captured_by: agent\n", ""), CodeMissingField, "captured_by is missing", both},
	{"missing recommended_next", change("recommended_next: /dr-do\n", ""), CodeMissingField, "recommended_next is missing", both},
	{"missing options", change("options:\n  - \"/dr-do TUNE-0254 | implementation\"\n  - \"/dr-status | escape hatch\"\n", ""), CodeMissingField, "options is missing", both},
	{"missing size_bytes", change("size_bytes: 298\n", ""), CodeMissingField, "size_bytes is missing", both},
	{"missing truncated", change("truncated: false\n", ""), CodeMissingField, "truncated is missing", both},
	{"missing before wrong", change("stage: plan\ncommand: /dr-plan\n", "stage: no\n"), CodeMissingField, "command is missing", both},

	{"a bool as stage", change(": plan", ": no"), CodeWrongType, `stage must be a string; YAML reads "no" as another type`, both},
	{"sexagesimal", change(": plan", ": 10:00"), CodeWrongType, `stage must be a string; YAML reads "10:00" as another type`, both},
	{"octal", change("TUNE-0254\nart", "0123\nart"), CodeWrongType, `task_id must be a string; YAML reads "0123" as another type`, both},
	{"a digest like a float", change(": agent", ": 12e34"), CodeWrongType, `captured_by must be a string; YAML reads "12e34" as another type`, both},
	{"a date", change(": /dr-plan", ": 2026-05-21"), CodeWrongType, `command must be a string; YAML reads "2026-05-21" as another type`, both},
	{"nothing as stage", change(": plan", ":"), CodeWrongType, "stage has no value", both},
	{"null as stage", change(": plan", ": ~"), CodeWrongType, "stage has no value", both},
	{"a list as stage", change(": plan", ": [plan]"), CodeWrongType, "stage must be a string", both},
	{"a mapping as artifact", change(": stage-snapshot", ": {a: b}"), CodeWrongType, "artifact must be a string", both},
	{"a list as captured_at", change(": 2026-05-21T13:45:00Z", ": []"), CodeWrongType, "captured_at must be a timestamp", both},
	{"quoted schema_version", change("version: 1", `version: "1"`), CodeWrongType, "schema_version must be an integer in decimal digits, without quotes", both},
	{"float as schema_version", change("version: 1", "version: 1.0"), CodeWrongType, "schema_version must be an integer in decimal digits, without quotes", both},
	{"quoted size_bytes", change(": 298", `: "298"`), CodeWrongType, "size_bytes must be an integer in decimal digits, without quotes", both},
	{"octal size_bytes", change(": 298", ": 0298"), CodeWrongType, "size_bytes must be an integer in decimal digits, without quotes", both},
	{"negative size_bytes", change(": 298", ": -298"), CodeWrongType, "size_bytes must be an integer in decimal digits, without quotes", both},
	{"quoted truncated", change(": false", `: "false"`), CodeWrongType, "truncated must be true or false, without quotes", both},
	{"truncated: no", change(": false", ": no"), CodeWrongType, "truncated must be true or false, without quotes", both},
	{"options as text", change("options:\n  - \"/dr-do TUNE-0254 | implementation\"\n  -", "options:"), CodeWrongType, "options must be a list", both},
	{"options as mapping", change("options:\n  - \"/dr-do TUNE-0254 | implementation\"\n  - \"/dr-status | escape hatch\"", "options: {a: b}"), CodeWrongType, "options must be a list", both},
	{"a number as option", change(`"/dr-status | escape hatch"`, "7"), CodeWrongType, "options[2] must be a string", both},
	{"a mapping as option", change(`"/dr-status | escape hatch"`, "/dr-status: x"), CodeWrongType, "options[2] must be a string", both},
	{"a list as option", change(`"/dr-status | escape hatch"`, "- x"), CodeWrongType, "options[2] must be a string", both},

	{"task_id in lower case", change("TUNE-0254\nart", "tune-0254\nart"), CodeBadValue, `task_id: "tune-0254" does not match ^[A-Z][A-Z0-9-]+-[0-9]{4,5}$`, both},
	{"task_id with a newline", change("TUNE-0254\nart", "\"TUNE-0254\\n\"\nart"), CodeBadValue, `task_id: holds the refused character U+000A`, both},
	{"captured_by", change(": agent", ": nobody"), CodeBadValue, `captured_by: "nobody" must be agent or operator`, both},
	{"command", change(": /dr-plan", ": plan"), CodeBadValue, `command: "plan" must be /dr- and lower-case letters, digits or hyphens`, both},
	{"recommended_next of two lines", change(": /dr-do", ": \"/dr-do\\nx\""), CodeBadValue, "recommended_next: holds the refused character U+000A", both},
	{"captured_at without a zone", change("13:45:00Z", "13:45:00"), CodeBadValue, `captured_at: "2026-05-21T13:45:00" is not an RFC 3339 time with a zone`, both},
	{"captured_at in another zone", change("13:45:00Z", "13:45:00+02:00"), CodeBadValue, `captured_at: "2026-05-21T13:45:00+02:00" is not in whole seconds and UTC, as 2026-05-21T11:45:00Z is`, both},
	{"captured_at with a fraction", change("13:45:00Z", "13:45:00.5Z"), CodeBadValue, `captured_at: "2026-05-21T13:45:00.5Z" is not in whole seconds and UTC, as 2026-05-21T13:45:00Z is`, both},
	{"an option of two lines", change("| escape", `\n escape`), CodeBadValue, "options[2]: holds the refused character U+000A", both},
	{"an option with an override", change("| escape", "\u202E escape"), CodeBadValue, "options[2]: holds the refused character U+202E", both},
	{"artifact", change(": stage-snapshot", ": session-handoff"), CodeArtifactMismatch, `artifact is "session-handoff", not stage-snapshot`, both},
	{"schema_version", change("version: 1", "version: 2"), CodeSchemaVersion, "schema_version is 2, not 1", both},

	{"another task", change("TUNE-0254\nart", "TUNE-0255\nart"), CodeTaskMismatch, "task_id is TUNE-0255, not TUNE-0254", passes},
	{"size_bytes", valid + "x", CodeSizeMismatch, "size_bytes is 298, the file has 299 bytes", passes},
	{"truncated without a marker", change(": false", ": true"), CodeTruncatedMismatch, "truncated is true, but the last line is no marker", passes},
	{"a marker, but not truncated", sized(valid + Marker + "\n"), CodeTruncatedMismatch, "truncated is false, but the last line is a marker", passes},
	{"text behind the marker", sized(strings.Replace(valid, ": false", ": true", 1) + Marker + "\nx"), CodeTruncatedMismatch, "truncated is true, but the last line is no marker", passes},
}

func TestEachProblem(t *testing.T) {
	for _, c := range problemCases {
		t.Run(c.name, func(t *testing.T) {
			s, p := Parse([]byte(c.file), expect())
			if p == nil || s != nil || *p != (Problem{c.code, c.detail}) {
				t.Errorf("strict: %+v, want %s: %s", p, c.code, c.detail)
			}
			want := expect()
			want.Level = LevelSchema
			s, p = Parse([]byte(c.file), want)
			switch {
			case c.schema == both && (p == nil || s != nil || *p != (Problem{c.code, c.detail})):
				t.Errorf("schema: %+v, want %s: %s", p, c.code, c.detail)
			case c.schema == passes && p != nil:
				t.Errorf("schema: %+v, want none", p)
			case c.schema != both && c.schema != passes && (p == nil || p.Code != c.schema):
				t.Errorf("schema: %+v, want %s", p, c.schema)
			}
		})
	}
}

// TestEveryCodeIsProduced reads the codes from their source, so that none is
// forgotten.
func TestEveryCodeIsProduced(t *testing.T) {
	produced := []string{CodeSymlink, CodeNotRegular, CodeWrongOwner, CodeWritableByOthers, CodeUnreadable} // by who opens the file
	for _, c := range problemCases {
		produced = append(produced, c.code)
	}
	for _, c := range sessionProblemCases {
		produced = append(produced, c.code)
	}
	source, err := parser.ParseFile(token.NewFileSet(), "code.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	codes := 0
	ast.Inspect(source, func(node ast.Node) bool {
		if literal, ok := node.(*ast.BasicLit); ok {
			codes++
			if code, _ := strconv.Unquote(literal.Value); !slices.Contains(produced, code) {
				t.Errorf("no case produces %s", code)
			}
		}
		return true
	})
	if codes < 20 {
		t.Errorf("found only %d codes", codes)
	}
}

func TestDetailIsShort(t *testing.T) {
	_, p := Parse([]byte(change(": plan", ": "+strings.Repeat("я", 3000))), expect())
	if p == nil || len(p.Detail) > maxDetail || !strings.HasSuffix(p.Detail, "я…") {
		t.Errorf("got %+v", p)
	}
}
