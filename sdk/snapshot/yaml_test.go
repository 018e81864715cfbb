package snapshot

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/stagehook/stagehook/sdk/identity"
)

// awkward are texts that YAML would take for something else than themselves, or
// for the end of something, if they stood bare.
var awkward = []string{
	"", " ", "   ", " x", "x ", "  x  ",
	`"`, `'`, `\`, `\n`, `\"`, `"quoted"`, `'quoted'`, `ends in \`, `a"b\c"d`, `\x41\u0041`,
	": ", "a: b", "a:", ":a", "fix: retry #12", "#", "# comment", "a #b", "a#b",
	"-", "- x", "-x", "--", "---", "--- ", "--- x", "...", "... #", "?", "? x", "!", "!!str x", "&a", "*a", "<<", "=", "|", ">", ">-", "%YAML 1.2", "@a", "`a`",
	"[", "[a]", "{", "{a: b}", "a, b", "]", "}", ",",
	"~", "null", "Null", "NULL", "y", "n", "yes", "No", "on", "OFF", "true", "False",
	"0", "-1", "+1", "0123", "08", "1_000", "0x1F", "0o17", "0b11", "1e5", "12e34", "1.", ".5", "1.5", "-.inf", ".inf", ".Inf", ".NaN", "10:00", "190:20:30.15",
	"2026-05-21", "2026-05-21T13:45:00Z", "2026-05-21 13:45:00 +2",
	"\uFEFF", "a\uFEFFb", "\uFEFFa", "\uFFFE", "\uFFFF", "\uFFFD", "\u00A0", "\u3000a\u00A0", "a\u200Bb\u200E",
	"🚀", "\U0001FFFE", "\U0010FFFF", "\U000E0001", "é́", "шаги 1→11", "\uE000", "\uD7FF",
	"$(rm -rf /)", "{{.Body}}", "%s", "$1",
	strings.Repeat(" ", 500), strings.Repeat("x", 7000), strings.Repeat("a: #", 1500), strings.Repeat(`"\`, 1700), strings.Repeat("€ ", 1500),
}

// strictHeader takes exactly the fields of a header, each as it is spelled.
type strictHeader struct {
	TaskID          string   `yaml:"task_id"`
	Artifact        string   `yaml:"artifact"`
	SchemaVersion   string   `yaml:"schema_version"`
	Stage           string   `yaml:"stage"`
	Command         string   `yaml:"command"`
	CapturedAt      string   `yaml:"captured_at"`
	CapturedBy      string   `yaml:"captured_by"`
	RecommendedNext string   `yaml:"recommended_next"`
	Options         []string `yaml:"options"`
	SizeBytes       string   `yaml:"size_bytes"`
	Truncated       string   `yaml:"truncated"`
}

// checkYAML asks the YAML library what the header of file says, once for the
// text of each value and once for its type.
func checkYAML(t *testing.T, file []byte, s Snapshot) {
	t.Helper()
	header, _, p := split(file)
	if p != nil {
		t.Fatal(p)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(header))
	decoder.KnownFields(true)
	var got strictHeader
	if err := decoder.Decode(&got); err != nil {
		t.Fatalf("%v\n%s", err, header)
	}
	want := strictHeader{
		s.TaskID, "stage-snapshot", "1", s.Stage, s.Command, "2026-05-21T13:45:00Z", s.CapturedBy, s.RecommendedNext,
		s.Options, strconv.Itoa(len(file)), "false",
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %.300q\nwant %.300q", got, want)
	}
	var values map[string]any
	if err := yaml.Unmarshal(header, &values); err != nil {
		t.Fatal(err)
	}
	for key, text := range map[string]string{
		"task_id": s.TaskID, "artifact": "stage-snapshot", "stage": s.Stage, "command": s.Command,
		"captured_by": s.CapturedBy, "recommended_next": s.RecommendedNext,
	} {
		if values[key] != text {
			t.Fatalf("%s: %.100q is %T %.100v", key, text, values[key], values[key])
		}
	}
	options, _ := values["options"].([]any)
	for i, option := range s.Options {
		if options[i] != option {
			t.Fatalf("option %.100q is %T %.100v", option, options[i], options[i])
		}
	}
	if values["schema_version"] != 1 || values["size_bytes"] != len(file) || values["truncated"] != false {
		t.Fatalf("got %v", values)
	}
}

func TestYAMLReadsEveryFieldAsItsInput(t *testing.T) {
	for _, text := range awkward {
		for _, set := range []func(*Snapshot){
			func(s *Snapshot) { s.TaskID = text },
			func(s *Snapshot) { s.Stage = text },
			func(s *Snapshot) { s.Command = text },
			func(s *Snapshot) { s.CapturedBy = text },
			func(s *Snapshot) { s.RecommendedNext = text },
			func(s *Snapshot) { s.Options = []string{text} },
			func(s *Snapshot) { s.Options = []string{"x", text, "y"} },
		} {
			s := example("body\n")
			set(&s)
			file, _ := mustRender(t, s, RenderOptions{})
			checkYAML(t, file, s)
		}
	}
	s := example("")
	s.Options = nil
	file, _ := mustRender(t, s, RenderOptions{})
	checkYAML(t, file, s)
}

func TestParseReadsEveryOptionAsItsInput(t *testing.T) {
	for _, text := range awkward {
		s := example("body\n")
		s.Options = []string{text, "x"}
		file, _ := mustRender(t, s, RenderOptions{})
		if got := mustParse(t, file, expect()); !reflect.DeepEqual(got.Options, s.Options) {
			t.Errorf("%.100q is read as %.100q", text, got.Options)
		}
	}
}

// TestYAMLReadsRandomOptions draws characters from all of Unicode, those that
// mean something to YAML more often.
func TestYAMLReadsRandomOptions(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	const marks = `"'\:#-?!&*|>%@,[]{}~ 0a`
	for range 1000 {
		s := example("x")
		s.Options = s.Options[:0]
		for range 1 + random.IntN(4) {
			var text strings.Builder
			for range random.IntN(20) {
				r := rune(marks[random.IntN(len(marks))])
				if random.IntN(3) == 0 {
					r = random.Int32N(0x110000 >> random.IntN(12))
				}
				if identity.Line("", string(r)) == nil {
					text.WriteRune(r)
				}
			}
			s.Options = append(s.Options, text.String())
		}
		s.RecommendedNext = "/dr-do " + s.Options[0]
		file, _ := mustRender(t, s, RenderOptions{})
		checkYAML(t, file, s)
		if got, p := Parse(file, expect()); p != nil && p.Code != CodeBadValue || p == nil && !reflect.DeepEqual(got.Options, s.Options) {
			t.Fatalf("%q: read as %+v, %+v", s.Options, got, p)
		}
	}
}
