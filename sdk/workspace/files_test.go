package workspace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

func newFiles(t testing.TB) (*Files, string) {
	t.Helper()
	w := newWorkspace(t)
	files := w.Files()
	t.Cleanup(func() {
		if err := files.Close(); err != nil {
			t.Error(err)
		}
	})
	return files, w.Root()
}

// wantFile wants a file to be read with this content.
func wantFile(t testing.TB, files *Files, name, want string) {
	t.Helper()
	file, err := files.Open(name)
	if err != nil {
		t.Error(err)
		return
	}
	defer file.Close()
	if data, err := io.ReadAll(file); err != nil || string(data) != want {
		t.Errorf("%s: %q, %v; want %q", name, data, err, want)
	}
}

func TestFilesOfManyFolders(t *testing.T) {
	files, root := newFiles(t)
	for i := range 3 * maxFolders {
		plant(t, root, fmt.Sprintf("d%d/file", i), fmt.Sprint(i))
	}
	plant(t, root, "top", "top")
	var reading sync.WaitGroup
	for range 3 {
		reading.Go(func() {
			for i := range 3 * maxFolders {
				wantFile(t, files, fmt.Sprintf("d%d/file", i), fmt.Sprint(i))
			}
			wantFile(t, files, "top", "top")
		})
	}
	reading.Wait()
	if len(files.folders) != maxFolders {
		t.Errorf("%d folders are kept open; want %d", len(files.folders), maxFolders)
	}
	for _, folder := range []string{"d0", fmt.Sprintf("d%d", 3*maxFolders-1)} {
		if names, err := files.Names(folder); err != nil || !slices.Equal(names, []string{"file"}) {
			t.Errorf("%s holds %q, %v", folder, names, err)
		}
	}
}

// A folder that was met stays that very folder, so that its files belong
// together.
func TestFilesOfAFolderThatIsReplaced(t *testing.T) {
	files, root := newFiles(t)
	plant(t, root, "d/a", "old a")
	plant(t, root, "d/b", "old b")
	plant(t, root, "new/b", "new b")
	wantFile(t, files, "d/a", "old a")
	for _, move := range [][2]string{{"d", "away"}, {"new", "d"}} {
		if err := os.Rename(filepath.Join(root, move[0]), filepath.Join(root, move[1])); err != nil {
			t.Fatal(err)
		}
	}
	wantFile(t, files, "d/b", "old b")
}

func TestFilesRefuses(t *testing.T) {
	files, root := newFiles(t)
	plant(t, root, "d/file", "x")
	plant(t, filepath.Dir(root), "outside", "x")
	symlink(t, "file", filepath.Join(root, "d", "link"))
	symlink(t, "d", filepath.Join(root, "linked"))
	for name, want := range map[string]error{
		"d/absent": fs.ErrNotExist, "absent/file": fs.ErrNotExist,
		"../outside": fs.ErrInvalid, "/d/file": fs.ErrInvalid, "": fs.ErrInvalid, "d/": fs.ErrInvalid, "d/../d/file": fs.ErrInvalid,
	} {
		file, err := files.Open(name)
		if !errors.Is(err, want) || file != nil {
			t.Errorf("Open(%q) = %v, %v; want %v", name, file, err, want)
		}
	}
	for name, kind := range map[string]Kind{"d": KindDirectory, "d/link": KindSymlink, "linked/file": KindSymlink, "d/file/x": KindFile} {
		if file, err := files.Open(name); !isKind(err, kind) || file != nil {
			t.Errorf("Open(%q) = %v, %v; want a KindError of a %s", name, file, err, kind)
		}
	}
	for name, kind := range map[string]Kind{"linked": KindSymlink, "d/file": KindFile} {
		if names, err := files.Names(name); !isKind(err, kind) {
			t.Errorf("Names(%q) = %q, %v; want a KindError of a %s", name, names, err, kind)
		}
	}
	if _, err := files.Names("absent"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Names of a missing folder: %v", err)
	}
}
