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

// FuzzParse holds every input to four promises: no panic; either a snapshot or a
// problem of one short line; what strict accepts reads the same after rendering;
// and the fast way through the header gives what the YAML library gives.
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
				checkRenders(t, s, want)
			}
		}
	})
}

// checkRenders checks that a snapshot which strict accepted can be rendered and
// then reads as before, unless another spelling of its header had left more room.
func checkRenders(t *testing.T, s *Snapshot, want Expect) {
	file, stored := mustRender(t, *s, RenderOptions{})
	again := mustParse(t, file, want)
	if !reflect.DeepEqual(again, &stored) {
		t.Errorf("stored %+v\nread   %+v", stored, again)
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
// the body.
func FuzzRenderParse(f *testing.F) {
	f.Add("TUNE-0254", "plan", "/dr-do TUNE-0254", "/dr-do | a\n\n- \"x\\\"", "text\n```sh\necho", Marker, uint16(400), int64(1779371100))
	f.Add("1E5-0001", "yes", "/dr-do a: b #c", "", "a\xff\x00", "", uint16(0), int64(0))
	f.Add("0123", "no", "/dr-x \uFEFF", "\uFFFE\n\uFFFF", strings.Repeat("> ~~~\n> я🚀\n", 20), "<!-- more -->", uint16(500), int64(-1))
	want := Expect{Grammar: mustGrammar(identity.Rules{TaskIDPattern: `.*`, Stages: []string{"yes", "no"}})}
	f.Fuzz(func(t *testing.T, id, stage, next, options, body, marker string, limit uint16, unix int64) {
		s := Snapshot{
			TaskID: id, Stage: stage, Command: "/dr-plan", CapturedBy: "agent", RecommendedNext: next,
			CapturedAt: time.Unix(unix%200_000_000_000, 1).UTC(), Body: []byte(body),
		}
		if options != "" {
			s.Options = strings.Split(options, "\n")
		}
		file, stored, err := Render(s, RenderOptions{MaxBytes: int(limit), Marker: marker})
		if err != nil {
			var refused *identity.ValueError
			var size *SizeError
			if !errors.As(err, &refused) && !errors.As(err, &size) {
				t.Fatal(err)
			}
			return
		}
		// What package identity refuses, Render's callers refuse before.
		_, badTime := identity.CapturedAt(s.CapturedAt.Format(time.RFC3339))
		if want.Grammar.TaskID(id) != nil || want.Grammar.Stage(stage) != nil || identity.RecommendedNext(next) != nil || badTime != nil {
			return
		}
		want := want
		want.TaskID, want.Marker = id, marker
		got := mustParse(t, file, want)
		if !reflect.DeepEqual(got, &stored) || got.SizeBytes != len(file) || len(file) > MaxBytes {
			t.Fatalf("stored %+v\nread   %+v", stored, got)
		}
		header := stored
		header.Body, header.SizeBytes, header.Truncated = s.Body, s.SizeBytes, s.Truncated
		s.CapturedAt = s.CapturedAt.Truncate(time.Second)
		if !reflect.DeepEqual(header, s) {
			t.Fatalf("given %+v\nstored %+v", s, header)
		}
		if clean, _ := CleanBody(s.Body); !bytes.Equal(clean, got.Body) && (!got.Truncated || len(clean) <= len(got.Body)-len(marker)-2) {
			t.Fatalf("body %q became %q", s.Body, got.Body)
		}
	})
}
