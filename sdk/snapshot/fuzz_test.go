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

// FuzzParse holds every input to five promises: no panic; either a snapshot or a
// problem of one short line; what strict accepts can be rendered and reads the
// same again; byte for byte the same if its header is spelled as Render spells
// it; and the fast way through the header gives what the YAML library gives.
func FuzzParse(f *testing.F) {
	for _, c := range problemCases {
		f.Add([]byte(c.file))
	}
	f.Add([]byte(valid))
	f.Add([]byte(sized(strings.Replace(valid, ": false", ": true", 1) + MarkerRussian)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if header, _, p := split(data); p == nil {
			if quick, ok := readCanonical(header); ok {
				slow, p := decode(header)
				if p != nil || !reflect.DeepEqual(quick, slow) {
					t.Errorf("canonical %+v\nyaml      %+v, %+v", quick, slow, p)
				}
			}
		}
		for _, level := range []Level{LevelSchema, LevelStrict} {
			want := expect()
			want.Level = level
			s, p := Parse(data, want)
			if (s == nil) == (p == nil) {
				t.Fatalf("%s: %+v and %+v", level, s, p)
			}
			if p != nil {
				if len(p.Detail) > maxDetail || p.Detail == "" || identity.Line("detail", p.Detail) != nil {
					t.Errorf("detail %q", p.Detail)
				}
				continue
			}
			if level == LevelStrict {
				checkRenders(t, data, s, want)
			}
		}
	})
}

// checkRenders checks that Render writes the values of a file which strict
// accepted, and that they read as before, unless another spelling of its header
// had left more room.
func checkRenders(t *testing.T, data []byte, s *Snapshot, want Expect) {
	file, stored := mustRender(t, *s, RenderOptions{})
	again := mustParse(t, file, want)
	if !reflect.DeepEqual(again, &stored) {
		t.Errorf("stored %+v\nread   %+v", stored, again)
	}
	if bytes.HasPrefix(data, appendHeader(nil, s)) && !bytes.Equal(file, data) {
		t.Errorf("accepted %q\nrendered %q", data, file)
	}
	if !bytes.Equal(stored.Body, s.Body) {
		if len(file)-len(stored.Body)+len(s.Body) <= MaxBytes {
			t.Errorf("body %q became %q", s.Body, stored.Body)
		}
		return
	}
	again.SizeBytes = s.SizeBytes
	if !reflect.DeepEqual(again, s) {
		t.Errorf("before %+v\nafter  %+v", s, again)
	}
}

// FuzzRenderParse checks that reading undoes rendering, whatever the values and
// the body, and that a body is cut where and as it should be.
func FuzzRenderParse(f *testing.F) {
	const block = "\n---\n1. `/dr-do`\n"
	f.Add("TUNE-0254", "plan", "/dr-do TUNE-0254", "/dr-do | a\n\n- \"x\\\"", "text\n```sh\necho", Marker, uint16(400), int64(1779371100), false)
	f.Add("1E5-0001", "yes", "/dr-do a: b #c", "", "a\xff\x00", "", uint16(0), int64(0), true)
	f.Add("0123", "no", "/dr-x \uFEFF", "\uFFFE\n\uFFFF", strings.Repeat("> ~~~\n> я🚀\n", 20), "<!-- more -->", uint16(500), int64(-1), false)
	f.Add("TUNE-0254", "plan", "/dr-do", "", strings.Repeat("- 1. ```\n     я🚀\n", 20)+block, "", uint16(500), int64(0), true)
	f.Add("TUNE-0254", "plan", "/dr-do", "", strings.Repeat("<p>\n~~~\r\n\n", 20)+block+"---\n", "[cut]", uint16(430), int64(0), true)
	want := Expect{Grammar: mustGrammar(identity.Rules{TaskIDPattern: `.*`, Stages: []string{"yes", "no"}})}
	f.Fuzz(func(t *testing.T, id, stage, next, options, body, marker string, limit uint16, unix int64, keepCTA bool) {
		s := Snapshot{
			TaskID: id, Stage: stage, Command: "/dr-plan", CapturedBy: "agent", RecommendedNext: next,
			CapturedAt: time.Unix(unix%200_000_000_000, 1).UTC(), Body: []byte(body),
		}
		if options != "" {
			s.Options = strings.Split(options, "\n")
		}
		o := RenderOptions{MaxBytes: int(limit), Marker: marker, KeepCTA: keepCTA}
		file, stored, err := Render(s, o)
		if err != nil {
			var refused *identity.ValueError
			var size *SizeError
			if !errors.As(err, &refused) && !errors.As(err, &size) {
				t.Fatal(err)
			}
			return
		}
		checkBody(t, s.Body, stored, o)
		// What package identity refuses, Render's callers refuse before.
		_, badTime := identity.CapturedAt(s.CapturedAt.Format(time.RFC3339))
		if want.Grammar.TaskID(id) != nil || want.Grammar.Stage(stage) != nil || identity.RecommendedNext(next) != nil || badTime != nil {
			return
		}
		want := want
		want.TaskID, want.Marker = id, marker
		got := mustParse(t, file, want)
		if !reflect.DeepEqual(got, &stored.Snapshot) || got.SizeBytes != len(file) || len(file) > MaxBytes {
			t.Fatalf("stored %+v\nread   %+v", stored, got)
		}
		header := stored.Snapshot
		header.Body, header.SizeBytes, header.Truncated = s.Body, s.SizeBytes, s.Truncated
		s.CapturedAt = s.CapturedAt.Truncate(time.Second)
		if !reflect.DeepEqual(header, s) {
			t.Fatalf("given %+v\nstored %+v", s, header)
		}
	})
}

// checkBody checks what became of a body: the whole, the longest prefix with its
// tail, or that and the CTA block.
func checkBody(t *testing.T, body []byte, stored Stored, o RenderOptions) {
	if o.Marker == "" {
		o.Marker = Marker
	}
	if o.MaxBytes == 0 || o.MaxBytes > MaxBytes {
		o.MaxBytes = MaxBytes
	}
	clean, changed := CleanBody(body)
	warnings := stored.Warnings
	if changed {
		warnings = warnings[1:]
	}
	uncut := stored.Snapshot
	uncut.Truncated = endsWithMarker(clean, o.Marker)
	if smallestSize(sizelessHeader(uncut)+len(clean)) <= o.MaxBytes {
		if !bytes.Equal(clean, stored.Body) || len(warnings) > 0 {
			t.Fatalf("body %q became %q, %q", body, stored.Body, warnings)
		}
		return
	}
	room := o.MaxBytes - sizelessHeader(stored.Snapshot) - digits(o.MaxBytes)
	head, end := string(clean), "\n"+o.Marker+"\n"
	if o.KeepCTA {
		keptHead, keptEnd, ok := withCTA(clean, o.Marker)
		if ok = ok && len(keptEnd) <= room; ok != (len(warnings) == 0) {
			t.Fatalf("body %q: warned %q", body, warnings)
		}
		if ok {
			head, end = keptHead, keptEnd
		}
	}
	if want := longest(head, room, end); string(stored.Body) != want {
		t.Fatalf("body %q became\n%q, not\n%q", body, stored.Body, want)
	}
}

// withCTA splits a body into what may be cut and what follows the cut when the
// CTA block is kept.
func withCTA(body []byte, marker string) (head, end string, ok bool) {
	start, ok := findCTA(body)
	if !ok {
		return "", "", false
	}
	end = "\n" + marker + "\n"
	if !strings.HasPrefix(marker, "<!--") {
		end += "\n"
	}
	end += string(body[start:])
	if !strings.HasSuffix(end, "\n") {
		end += "\n"
	}
	return string(body[:start]), end + marker + "\n", true
}
