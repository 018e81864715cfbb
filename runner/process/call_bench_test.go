//go:build unix

package process

import "testing"

// BenchmarkCall times one call of a plugin that runs already: there and back
// through the wire, with a plugin that does nothing.
func BenchmarkCall(b *testing.B) {
	p := mustStart(b, openPool(b), as("plugin", "good"))
	wantPrompt(b, p, "prompt") // connects
	b.ReportAllocs()
	for b.Loop() {
		if _, err := render(b.Context(), p, patience); err != nil {
			b.Fatal(err)
		}
	}
}
