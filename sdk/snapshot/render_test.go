package snapshot

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk/identity"
)

func TestRenderWritesTheContractsBytes(t *testing.T) {
	s := example("---\nbody\n--- \n")
	s.CapturedAt = time.Date(2026, 5, 21, 15, 45, 0, 999, time.FixedZone("", 2*60*60))
	s.SizeBytes, s.Truncated = 7, true // ignored
	file, stored := mustRender(t, s, RenderOptions{})
	const want = `---
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
size_bytes: 307
truncated: false
---

---
body
--- 
`
	if string(file) != want {
		t.Errorf("got\n%s\nwant\n%s", file, want)
	}
	if got := mustParse(t, file, expect()); !reflect.DeepEqual(got, &stored) {
		t.Errorf("stored is %+v, reads back as %+v", stored, got)
	}
}

func TestRenderWithoutOptions(t *testing.T) {
	s := example("x")
	s.Options = []string{}
	file, stored := mustRender(t, s, RenderOptions{})
	if !bytes.Contains(file, []byte("\nrecommended_next: /dr-do\noptions:\nsize_bytes: ")) {
		t.Errorf("options: does not stand alone:\n%s", file)
	}
	if got := mustParse(t, file, expect()); got.Options != nil || stored.Options != nil {
		t.Errorf("options read back as %q, stored as %q", got.Options, stored.Options)
	}
}

func TestFenceLinesInBodyAndOptionsChangeNothing(t *testing.T) {
	for _, line := range []string{"---", "--- ", "---x", "...", "----", "-- -", "--- # x", "... "} {
		s := example(line + "\n" + line + "\n\n" + line)
		s.Options = []string{line, "/dr-do", line}
		file, stored := mustRender(t, s, RenderOptions{})
		got := mustParse(t, file, expect())
		if !reflect.DeepEqual(got, &stored) || !reflect.DeepEqual(got.Options, s.Options) || !bytes.Equal(got.Body, s.Body) {
			t.Errorf("%q: read %+v", line, got)
		}
	}
}

func TestRenderQuotesOptions(t *testing.T) {
	for option, want := range map[string]string{
		`fix: retry #12`:                         `"fix: retry #12"`,
		`- x`:                                    `"- x"`,
		`yes`:                                    `"yes"`,
		`0123`:                                   `"0123"`,
		`say "hi" \n`:                            `"say \"hi\" \\n"`,
		`---`:                                    `"---"`,
		` spaced `:                               `" spaced "`,
		``:                                       `""`,
		`шаги 1→11 🚀`:                            `"шаги 1→11 🚀"`,
		"a\uFEFFb\uFFFEc\uFFFF":                  `"a\uFEFFb\uFFFEc\uFFFF"`,
		"\uFFFD \U0001FFFE":                      "\"\uFFFD \U0001FFFE\"",
		strings.Repeat("k", 2000) + ": " + "v":   `"` + strings.Repeat("k", 2000) + `: v"`,
		strings.Repeat(`"`, 1500) + "tail # end": `"` + strings.Repeat(`\"`, 1500) + `tail # end"`,
	} {
		s := example("x")
		s.Options = []string{option, option}
		file, _ := mustRender(t, s, RenderOptions{})
		if !bytes.Contains(file, []byte("\noptions:\n  - "+want+"\n  - "+want+"\nsize_bytes")) {
			t.Errorf("%.40q is not written as %.40s", option, want)
		}
		got := mustParse(t, file, expect())
		if !reflect.DeepEqual(got.Options, s.Options) {
			t.Errorf("%.40q reads back as %.80q", option, got.Options)
		}
	}
}

func TestRenderQuotesScalarsThatYAMLWouldReadOtherwise(t *testing.T) {
	for value, plain := range map[string]bool{
		// recommended_next
		"/dr-do": true, "/dr-do TUNE-0254 --focus-items a,b": true, "/dr-do a:b c#d {e} [f] 'g' \"h\"": true,
		"/dr-do a: b": false, "/dr-do a #b": false, "/dr-do a:": false, "/dr-do a ": false, "/dr-do a\uFEFF": false,
		"/dr-do шаги 1→11": true,
		// stages of a setting
		"yes": false, "no": false, "on": false, "off": false, "y": false, "n": false, "true": false, "null": false,
		"nullable": true, "yess": true, "e5": true, "inf": true,
		// task IDs of a custom pattern
		"1E5-0001": true, "TUNE-0254": true, "2024-01-02": false, "2024-01-023": true, "0123": false, "089": false,
		"12_34": false, "0x1F": false, "0b11": false, "1E5": false, "1e": true, "ON": false, "Null": false, "0o17": false,
		"NaN": true, "12-34": true,
		// values that no check lets through, but Render must survive
		"": false, "~": false, ".inf": false, ".NaN": false, "-1": false, "10:00": false, "1.5": false, "- x": false,
		"<<": false, "=": false, "#x": false, "&a": false, "*a": false, "!t": false, "2024-01-02 10:00:00": false,
	} {
		s := example("x")
		s.RecommendedNext = value
		file, _ := mustRender(t, s, RenderOptions{})
		if got := bytes.Contains(file, []byte("\nrecommended_next: "+value+"\n")); got != plain {
			t.Errorf("%q: plain is %v, want %v", value, got, plain)
		}
		header, _, p := split(file)
		if p != nil {
			t.Fatal(p)
		}
		fields, p := decode(header)
		if p != nil {
			t.Fatal(value, p)
		}
		if got, ok := fields[7].value.str(); got != value || !ok {
			t.Errorf("%q reads back as %q, %v", value, got, ok)
		}
	}
}

func TestRenderRefusesWhatBreaksALine(t *testing.T) {
	for _, bad := range []string{"\n", "\r", "\x00", "\t", "\x7f", "\u0085", "\u2028", "\u2029", "\u202E", "\u2066", "\xff"} {
		for field, set := range map[string]func(*Snapshot, *RenderOptions){
			"task_id":          func(s *Snapshot, _ *RenderOptions) { s.TaskID += bad },
			"stage":            func(s *Snapshot, _ *RenderOptions) { s.Stage += bad },
			"command":          func(s *Snapshot, _ *RenderOptions) { s.Command += bad },
			"captured_by":      func(s *Snapshot, _ *RenderOptions) { s.CapturedBy += bad },
			"recommended_next": func(s *Snapshot, _ *RenderOptions) { s.RecommendedNext += bad },
			"options[2]":       func(s *Snapshot, _ *RenderOptions) { s.Options[1] += bad },
			"marker":           func(_ *Snapshot, o *RenderOptions) { o.Marker = "<!-- cut" + bad },
		} {
			s, o := example("x"), RenderOptions{}
			set(&s, &o)
			file, _, err := Render(s, o)
			var refused *identity.ValueError
			if !errors.As(err, &refused) || refused.Field != field || file != nil {
				t.Errorf("%s with %q: got %v", field, bad, err)
			}
		}
	}
}

func TestRenderOfAHeaderThatLeavesNoRoom(t *testing.T) {
	s := example(strings.Repeat("x", 9000))
	file, _ := mustRender(t, example(""), RenderOptions{})
	// truncated: true is a byte shorter than false.
	smallest := len(file) - 1 + len("\n"+Marker+"\n")

	_, stored := mustRender(t, s, RenderOptions{MaxBytes: smallest})
	if string(stored.Body) != "\n"+Marker+"\n" || stored.SizeBytes != smallest {
		t.Errorf("at the cap the body is %q", stored.Body)
	}
	_, _, err := Render(s, RenderOptions{MaxBytes: smallest - 1})
	if want := (&SizeError{Size: smallest, Cap: smallest - 1}); !reflect.DeepEqual(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}

	s.Options = []string{strings.Repeat("o", 7930)}
	_, _, err = Render(s, RenderOptions{MaxBytes: 9999})
	if err == nil || err.Error() != "rendered snapshot is 8219 bytes; exceeds 8192-byte cap" {
		t.Errorf("got %v", err)
	}
	// What fits without a marker needs no room for one.
	s.Body = []byte("short")
	if file, _ := mustRender(t, s, RenderOptions{}); len(file) != 8164 {
		t.Errorf("got %d bytes", len(file))
	}
}

// TestWithinAllocations holds Render and Parse to a budget for files that fill
// the cap. A header in another spelling goes through the YAML library, which
// alone allocates 150 times.
func TestWithinAllocations(t *testing.T) {
	const budget = 60
	for name, body := range benchBodies {
		s, o := example(string(body)), RenderOptions{KeepCTA: name == "keep-cta"}
		file, _ := mustRender(t, s, o)
		if n := testing.AllocsPerRun(20, func() { mustRender(t, s, o) }); n > budget {
			t.Errorf("%s: Render allocates %v times", name, n)
		}
		if n := testing.AllocsPerRun(20, func() { mustParse(t, file, expect()) }); n > budget {
			t.Errorf("%s: Parse allocates %v times", name, n)
		}
	}
}
