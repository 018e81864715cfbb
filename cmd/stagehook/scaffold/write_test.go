package scaffold

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNothingIsOverwritten(t *testing.T) {
	files := []File{{"a", "new"}, {"b", "new"}}
	for name, test := range map[string]struct {
		prepare func(dir string) error
		want    string // a part of the error; empty for none
	}{
		"nothing":         {func(string) error { return nil }, ""},
		"an empty folder": {func(dir string) error { return os.Mkdir(filepath.Join(dir, "x"), 0o700) }, ""},
		"a folder that is not empty": {func(dir string) error {
			return os.MkdirAll(filepath.Join(dir, "x", "sub"), 0o700)
		}, "x exists and is not empty"},
		"a file": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "x"), []byte("old"), 0o600)
		}, "x exists and is no folder"},
		"a symlink to an empty folder": {func(dir string) error {
			return os.Symlink(t.TempDir(), filepath.Join(dir, "x"))
		}, "x exists and is no folder"},
		"a symlink to nowhere": {func(dir string) error {
			return os.Symlink("nowhere", filepath.Join(dir, "x"))
		}, "x exists and is no folder"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := test.prepare(dir); err != nil {
				t.Fatal(err)
			}
			err := Write(dir, "x", files)
			if test.want != "" {
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("the error is %v; want %s", err, test.want)
				}
				if _, err := os.Stat(filepath.Join(dir, "x", "a")); err == nil {
					t.Error("a file was written")
				}
				return
			}
			if text, readErr := os.ReadFile(filepath.Join(dir, "x", "b")); err != nil || string(text) != "new" {
				t.Errorf("%v; %q, %v", err, text, readErr)
			}
		})
	}
}

// A second file of the name, as one that another process makes meanwhile, fails; what
// was written before is gone then, and so is the folder.
func TestFailureLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := Write(dir, "x", []File{{"a", "1"}, {"a", "2"}}); err == nil {
		t.Error("a file was written twice")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("left are %v, %v", entries, err)
	}
}
