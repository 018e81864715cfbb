package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestOpenDirTakesOnlyPathsFromTheRoot(t *testing.T) {
	w := newWorkspace(t)
	plant(t, w.Root(), "datarim/snapshots/x", "")
	for _, name := range []string{".", "datarim", "datarim/snapshots"} {
		dir, err := w.OpenDir(name)
		if err != nil {
			t.Fatalf("OpenDir(%q): %v", name, err)
		}
		dir.Close()
	}
	if _, err := w.OpenDir("datarim/missing/deeper"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing element: %v, want ErrNotExist", err)
	}
	for _, name := range []string{"", "..", "../x", "datarim/../..", "/datarim", "datarim/"} {
		if _, err := w.OpenDir(name); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("OpenDir(%q): %v, want ErrInvalid", name, err)
		}
	}
}

// os.Root refuses links that lead out; one that stays inside is refused too.
func TestSymlinkedElementIsRefused(t *testing.T) {
	for _, element := range []string{"datarim", "datarim/snapshots"} {
		for name, target := range map[string]string{"inside": "elsewhere", "outside": t.TempDir()} {
			t.Run(element+" "+name, func(t *testing.T) {
				w := newWorkspace(t)
				plant(t, w.Root(), "elsewhere/snapshots/x", "")
				link := filepath.Join(w.Root(), filepath.FromSlash(element))
				if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
					t.Fatal(err)
				}
				if name == "inside" {
					target = filepath.Join(w.Root(), target)
					target, _ = filepath.Rel(filepath.Dir(link), target)
				}
				symlink(t, target, link)

				for call, open := range map[string]func(string) (*Dir, error){
					"OpenDir": w.OpenDir,
					"MakeDir": func(name string) (*Dir, error) { return w.MakeDir(name, 0o755) },
				} {
					_, err := open("datarim/snapshots")
					refused, ok := errors.AsType[*KindError](err)
					if !ok || refused.Path != element || refused.Got != KindSymlink {
						t.Errorf("%s: %v, want %s refused as a symlink", call, err, element)
					}
				}
			})
		}
	}
}

func TestOpenDirectoryStaysItselfWhenItsPathIsReplaced(t *testing.T) {
	w := newWorkspace(t)
	plant(t, w.Root(), "a/b/file", "right")
	dir := newDir(t, w, "a/b")
	if err := os.Rename(filepath.Join(w.Root(), "a"), filepath.Join(w.Root(), "moved")); err != nil {
		t.Fatal(err)
	}
	plant(t, w.Root(), "a/b/file", "wrong")
	if data, _, err := dir.Read("file", 100); string(data) != "right" {
		t.Errorf("Read = %q, %v, want the file of the directory that was opened", data, err)
	}
}

func TestNamesListsAllKindsSorted(t *testing.T) {
	w := newWorkspace(t)
	for _, name := range []string{"d/b", "d/a", "d/c/x", "d/.hidden"} {
		plant(t, w.Root(), name, "")
	}
	got, err := newDir(t, w, "d").Names()
	if want := []string{".hidden", "a", "b", "c"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("Names = %q, %v, want %q", got, err, want)
	}
}

func TestNameMustBeOneElement(t *testing.T) {
	w := newWorkspace(t)
	plant(t, w.Root(), "secret", "")
	dir := newDir(t, w, "d")
	plant(t, w.Root(), "d/file", "")
	for _, name := range []string{"", ".", "..", "../secret", "/etc/passwd", "a/b"} {
		_, _, read := dir.Read(name, 100)
		for call, err := range map[string]error{
			"Read":      read,
			"Replace":   dir.Replace(name, nil),
			"Move":      dir.Move(name, dir, "x"),
			"Move onto": dir.Move("file", dir, name),
		} {
			if !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("%s of %q: %v, want ErrInvalid", call, name, err)
			}
		}
	}
	wantNames(t, filepath.Join(w.Root(), "d"), "file")
}
