package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

// What was read belongs together only if all of it is still there.
func TestFilesChanged(t *testing.T) {
	for name, test := range map[string]struct {
		change func(at func(string) string) error
		want   string
	}{
		"nothing":      {func(func(string) string) error { return nil }, ""},
		"not read":     {func(at func(string) string) error { return os.WriteFile(at("a/other"), []byte("x"), 0o600) }, ""},
		"rewritten":    {func(at func(string) string) error { return os.WriteFile(at("a/file"), []byte("longer"), 0o600) }, "a/file"},
		"removed":      {func(at func(string) string) error { return os.Remove(at("a/file")) }, "a/file"},
		"appeared":     {func(at func(string) string) error { return os.WriteFile(at("a/missing"), nil, 0o600) }, "a/missing"},
		"in a listing": {func(at func(string) string) error { return os.WriteFile(at("b/new"), nil, 0o600) }, "b"},
		"replaced": {func(at func(string) string) error {
			info, err := os.Stat(at("a/file"))
			if err != nil {
				return err
			}
			if err := os.WriteFile(at("new"), []byte("1"), 0o600); err != nil {
				return err
			}
			if err := os.Chtimes(at("new"), info.ModTime(), info.ModTime()); err != nil {
				return err
			}
			return os.Rename(at("new"), at("a/file"))
		}, "a/file"},
		"a folder replaced": {func(at func(string) string) error {
			if err := os.Rename(at("a"), at("aside")); err != nil {
				return err
			}
			if err := os.Mkdir(at("a"), 0o700); err != nil {
				return err
			}
			return os.WriteFile(at("a/file"), []byte("1"), 0o600)
		}, "a/file"},
		"now a link": {func(at func(string) string) error {
			if err := os.Rename(at("a/file"), at("a/real")); err != nil {
				return err
			}
			return os.Symlink("real", at("a/file"))
		}, "a/file"},
	} {
		t.Run(name, func(t *testing.T) {
			files, root := newFiles(t)
			plant(t, root, "a/file", "1")
			plant(t, root, "b/file", "2")
			wantFile(t, files, "a/file", "1")
			if _, err := files.Open("a/missing"); err == nil {
				t.Fatal("opened what is missing")
			}
			if _, err := files.Names("b"); err != nil {
				t.Fatal(err)
			}
			if err := test.change(func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }); err != nil {
				t.Fatal(err)
			}
			if got := files.Changed(); got != test.want {
				t.Errorf("%q has changed; want %q", got, test.want)
			}
			// It has forgotten all, and looks anew.
			if got := files.Changed(); got != "" {
				t.Errorf("%q has changed since nothing was read", got)
			}
			if file, err := files.Open("b/file"); err != nil {
				t.Error(err)
			} else {
				file.Close()
			}
		})
	}
}

// Folders are looked up below those that were met before: what hangs together is
// read together, though the folder above them be exchanged in between.
func TestFilesOfOneFolderBelongTogether(t *testing.T) {
	files, root := newFiles(t)
	at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	for _, state := range []string{"a", "b"} {
		plant(t, root, state+"/x/file", state)
		plant(t, root, state+"/y/file", state)
	}
	rename := func(from, to string) {
		t.Helper()
		if err := os.Rename(at(from), at(to)); err != nil {
			t.Fatal(err)
		}
	}
	rename("a", "top")
	wantFile(t, files, "top/x/file", "a")
	rename("top", "a")
	rename("b", "top")
	wantFile(t, files, "top/y/file", "a")
	if got := files.Changed(); got == "" {
		t.Error("the exchange goes unnoticed")
	}
	// Then both are looked up anew.
	wantFile(t, files, "top/x/file", "b")
	wantFile(t, files, "top/y/file", "b")
}
