package configs

import (
	"bytes"
	"slices"
	"testing"
)

func TestEverythingIsEmbedded(t *testing.T) {
	for name, data := range map[string][]byte{"defaults": Defaults(), "schema": Schema()} {
		if len(data) == 0 {
			t.Errorf("%s: empty", name)
		}
	}
	if got := Profiles(); !slices.Equal(got, []string{"datarim-2.67"}) {
		t.Errorf("profiles %v", got)
	}
	for _, name := range Profiles() {
		if data := Profile(name); len(data) == 0 || bytes.Contains(data, []byte("\nprofile:")) {
			t.Errorf("%s: empty, or names a profile itself", name)
		}
	}
}

func TestProfileStaysInItsFolder(t *testing.T) {
	for _, name := range []string{"", "none", "../stagehook", "./datarim-2.67", "/etc/passwd"} {
		if data := Profile(name); data != nil {
			t.Errorf("%q gives %d bytes", name, len(data))
		}
	}
}

// A caller may change what it got.
func TestDefaultsAreACopy(t *testing.T) {
	first := Defaults()
	first[0] = 'x'
	if second := Defaults(); second[0] == 'x' {
		t.Error("the embedded file was changed")
	}
}
