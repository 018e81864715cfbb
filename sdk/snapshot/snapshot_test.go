package snapshot

import "testing"

func TestHasProjection(t *testing.T) {
	for body, want := range map[string]bool{
		"<!-- research-projection: x -->":         true,
		"text\n<!-- research-projection: x -->\n": true,
		"text <!-- research-projection: x -->":    false,
		"<!-- Research-projection: x -->":         false,
		"":                                        false,
	} {
		if got := HasProjection([]byte(body)); got != want {
			t.Errorf("%q: %v", body, got)
		}
	}
}

func TestPath(t *testing.T) {
	if got := Path("TUNE-0254"); got != "datarim/snapshots/TUNE-0254.snapshot.md" {
		t.Errorf("got %s", got)
	}
}
