package snapshot

import (
	"math/rand/v2"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestPlainScalarsAreStrings asks the YAML library about many texts that look
// like numbers, dates and words with a meaning.
func TestPlainScalarsAreStrings(t *testing.T) {
	alphabet := []rune("00112:._-eE+xobTZnNyYoOfFtrRuUlLsS~ #/я")
	random := rand.New(rand.NewPCG(3, 4))
	plain := 0
	for range 10_000 {
		text := make([]rune, 1+random.IntN(10))
		for i := range text {
			text[i] = alphabet[random.IntN(len(alphabet))]
		}
		line := "key: " + string(appendScalar(nil, string(text)))
		var document yaml.Node
		if err := yaml.Unmarshal([]byte(line), &document); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		got := document.Content[0].Content[1]
		if got.Tag != "!!str" || got.Value != string(text) {
			t.Errorf("%s reads back as %s %q", line, got.Tag, got.Value)
		}
		if got.Style == 0 {
			plain++
		}
	}
	if plain < 1000 {
		t.Errorf("only %d were plain", plain)
	}
}
