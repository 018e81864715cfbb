package scaffold

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
)

func TestNameThatNoPluginMayHave(t *testing.T) {
	for _, name := range []string{"", "Upper", "1st", "-x", "a/b", "..", "a b", "é", "a\n", "true", "null", "con", "com1", strings.Repeat("a", 65)} {
		var value *identity.ValueError
		if _, err := New(Options{Name: name, Kind: hook.KindWriter}); !errors.As(err, &value) || value.Field != "NAME" {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// The name stands wherever that of the template stood, and nothing is left open.
func TestFilesAreFilledIn(t *testing.T) {
	for _, kind := range hook.Kinds() {
		files, err := New(Options{Name: strings.Repeat("a", 64), Kind: kind})
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if left := regexp.MustCompile(`my-plugin|\{\{[A-Z]+\}\}`).FindString(file.Content); left != "" {
				t.Errorf("%s of a %s: %s is left", file.Name, kind, left)
			}
		}
	}
}

// A plugin needs the Go of the module that it is built against.
func TestVersionOfGo(t *testing.T) {
	own, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	files, err := New(Options{Name: "x", Kind: hook.KindWriter, SDK: `/a "b"`})
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go .*$`)
	if got, want := version.FindString(files[0].Content), version.FindString(string(own)); got != want {
		t.Errorf("the version is %q; want %q", got, want)
	}
	if want := `replace github.com/stagehook/stagehook => "/a \"b\""`; !strings.Contains(files[0].Content, want) {
		t.Errorf("%s\nwithout %s", files[0].Content, want)
	}
}
