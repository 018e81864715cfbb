package workspace

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadTakesNoMoreThanItsLimit(t *testing.T) {
	w := newWorkspace(t)
	plant(t, w.Root(), "d/eight", "12345678")
	for _, limit := range []int64{8, 9, 1 << 40} {
		data, info, err := w.Read("d/eight", limit)
		if string(data) != "12345678" || err != nil || info.Size() != 8 {
			t.Errorf("Read with limit %d = %q, %v", limit, data, err)
		}
	}
	data, info, err := w.Read("d/eight", 7)
	large, ok := errors.AsType[*TooLargeError](err)
	if !ok || *large != (TooLargeError{Path: "d/eight", Size: 8, Limit: 7}) || data != nil || info == nil {
		t.Errorf("Read with limit 7 = %q, %v, %v, want a TooLargeError with information", data, info, err)
	}
	plant(t, w.Root(), "d/empty", "")
	if data, _, err := w.Read("d/empty", 0); len(data) != 0 || err != nil {
		t.Errorf("Read of an empty file = %q, %v", data, err)
	}
}

func TestReadTakesOnlyARegularFile(t *testing.T) {
	w := newWorkspace(t)
	plant(t, w.Root(), "d/secret", "secret")
	plant(t, w.Root(), "d/directory/x", "")
	symlink(t, "secret", filepath.Join(w.Root(), "d", "inside"))
	symlink(t, "/etc/passwd", filepath.Join(w.Root(), "d", "outside"))
	symlink(t, "nowhere", filepath.Join(w.Root(), "d", "dangling"))

	dir := newDir(t, w, "d")
	for name, kind := range map[string]Kind{
		"directory": KindDirectory,
		"inside":    KindSymlink,
		"outside":   KindSymlink,
		"dangling":  KindSymlink,
	} {
		if _, _, err := dir.Read(name, 100); !isKind(err, kind) {
			t.Errorf("Read(%q): %v, want it refused as a %s", name, err, kind)
		}
	}
	if _, _, err := dir.Read("missing", 100); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read of a missing file: %v, want ErrNotExist", err)
	}
}

func TestErrorsNameThePathFromTheRoot(t *testing.T) {
	w := newWorkspace(t)
	plant(t, w.Root(), "datarim/snapshots/x", "")
	_, _, err := w.Read("datarim/snapshots/A-0001.snapshot.md", 1)
	if want := "open datarim/snapshots/A-0001.snapshot.md: "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %q does not begin with %q", err, want)
	}
}
