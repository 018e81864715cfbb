package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// newWorkspace returns an empty workspace that is closed with the test.
func newWorkspace(t testing.TB) *Workspace {
	t.Helper()
	return openWorkspace(t, t.TempDir())
}

func openWorkspace(t testing.TB, root string) *Workspace {
	t.Helper()
	w, err := Open(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// newDir returns the directory name of the workspace, made with its parents.
func newDir(t testing.TB, w *Workspace, name string) *Dir {
	t.Helper()
	dir, err := w.MakeDir(name, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	return dir
}

// plant writes a file below root, with its directories.
func plant(t testing.TB, root, name, content string) string {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func wantContent(t testing.TB, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Fatalf("%s holds %.60q, want %.60q", path, got, want)
	}
}

// wantNames checks what a directory holds, by sorted names.
func wantNames(t testing.TB, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	if len(got) != len(want) {
		t.Fatalf("%s holds %q, want %q", dir, got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s holds %q, want %q", dir, got, want)
		}
	}
}

func symlink(t testing.TB, target, link string) {
	t.Helper()
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
}

func TestRootIsNeverInsideDatarim(t *testing.T) {
	top := t.TempDir()
	plant(t, top, "datarim/tasks.md", "")
	plant(t, top, "datarim/snapshots/nested/datarim/tasks.md", "")
	plant(t, top, "plain", "")
	symlink(t, filepath.Join(top, "datarim", "snapshots"), filepath.Join(top, "alias"))

	for name, root := range map[string]string{
		"empty":                  "",
		"datarim itself":         filepath.Join(top, "datarim"),
		"with a slash":           filepath.Join(top, "datarim") + "/",
		"below datarim":          filepath.Join(top, "datarim", "snapshots"),
		"workspace below":        filepath.Join(top, "datarim", "snapshots", "nested"),
		"a link to below":        filepath.Join(top, "alias"),
		"a link's way to below":  filepath.Join(top, "alias", "nested"),
		"a regular file as root": filepath.Join(top, "plain"),
	} {
		t.Run(name, func(t *testing.T) {
			w, err := Open(root)
			if _, ok := errors.AsType[*RootError](err); !ok {
				t.Fatalf("Open(%q) = %v, %v, want a RootError", root, w, err)
			}
		})
	}
	if _, err := Open(filepath.Join(top, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing root: %v, want ErrNotExist", err)
	}
}

func TestRootHasNoSymlinksInItsPath(t *testing.T) {
	top := t.TempDir()
	plant(t, top, "my-datarim/file", "")
	symlink(t, "my-datarim", filepath.Join(top, "alias"))
	t.Chdir(top)

	want, err := filepath.EvalSymlinks(filepath.Join(top, "my-datarim"))
	if err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{"alias", "./my-datarim", filepath.Join(top, "alias")} {
		if got := openWorkspace(t, root).Root(); got != want {
			t.Errorf("Open(%q).Root() = %q, want %q", root, got, want)
		}
	}
}

func TestExistsCountsLinksButFollowsNone(t *testing.T) {
	w := newWorkspace(t)
	plant(t, w.Root(), "datarim/decisions/A-0001/1.yaml", "")
	symlink(t, "nowhere", filepath.Join(w.Root(), "datarim", "dangling"))
	symlink(t, "decisions", filepath.Join(w.Root(), "datarim", "linked"))

	for name, want := range map[string]bool{
		"datarim/decisions/A-0001/1.yaml": true,
		"datarim/decisions/A-0001":        true,
		"datarim/dangling":                true,
		"datarim/decisions/A-0002":        false,
		"datarim/evidence/A-0001.yaml":    false,
	} {
		if got, err := w.Exists(name); got != want || err != nil {
			t.Errorf("Exists(%q) = %v, %v, want %v", name, got, err, want)
		}
	}
	if _, err := w.Exists("datarim/linked/A-0001"); !isKind(err, KindSymlink) {
		t.Errorf("Exists behind a symlink: %v, want a KindError", err)
	}
	for _, name := range []string{"../x", "/etc/passwd", "datarim//x", "datarim/x/", ""} {
		if _, err := w.Exists(name); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("Exists(%q): %v, want ErrInvalid", name, err)
		}
	}
}

// isKind reports whether err refuses something of this kind.
func isKind(err error, kind Kind) bool {
	refused, ok := errors.AsType[*KindError](err)
	return ok && refused.Got == kind
}
