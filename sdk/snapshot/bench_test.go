package snapshot

import (
	"bytes"
	"testing"
)

// A body that fills the cap, one that is cut inside a fence, and one that is cut
// in its middle.
var benchBodies = map[string][]byte{
	"fits":     bytes.Repeat([]byte("| build-001 | 10.4.1.1 | готово |\n"), 7500/40),
	"cut":      append([]byte("```sh\n"), bytes.Repeat([]byte("echo строка 🚀\n"), 1000)...),
	"keep-cta": append(bytes.Repeat([]byte("- a line of a list, строка\n  1. and one of a list in it 🚀\n"), 200), cta...),
}

func BenchmarkRender(b *testing.B) {
	for name, body := range benchBodies {
		b.Run(name, func(b *testing.B) {
			s := example(string(body))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := Render(s, RenderOptions{KeepCTA: name == "keep-cta"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	file, _, err := Render(example(string(benchBodies["cut"])), RenderOptions{})
	if err != nil {
		b.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"rendered": file,
		// The same header in another spelling takes the way through the YAML
		// library.
		"respelled": bytes.Replace(file, []byte(`stage: plan`), []byte(`stage:  plan`), 1),
	} {
		b.Run(name, func(b *testing.B) {
			want := expect()
			if name == "respelled" {
				want.Level = LevelSchema // its size differs
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, p := Parse(data, want); p != nil {
					b.Fatal(p)
				}
			}
		})
	}
}
