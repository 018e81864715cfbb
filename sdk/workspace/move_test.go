package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// withoutRenameExclusive makes the system call fail as if there were none.
func withoutRenameExclusive(t *testing.T) {
	original := renameExclusive
	t.Cleanup(func() { renameExclusive = original })
	renameExclusive = func(*Dir, string, *Dir, string) error { return errors.ErrUnsupported }
}

// eachWay runs a test by rename and by copy and link.
func eachWay(t *testing.T, test func(t *testing.T)) {
	t.Run("exclusive rename", test)
	t.Run("none on this file system", func(t *testing.T) {
		withoutRenameExclusive(t)
		test(t)
	})
}

func TestMoveKeepsTheBytesAndMakesThemPrivate(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		w := newWorkspace(t)
		content := strings.Repeat("body\r\n", 20000)
		plant(t, w.Root(), "from/a", content)
		if err := newDir(t, w, "from").Move("a", newDir(t, w, "to"), "b"); err != nil {
			t.Fatal(err)
		}
		wantNames(t, filepath.Join(w.Root(), "from"))
		wantNames(t, filepath.Join(w.Root(), "to"), "b")
		target := filepath.Join(w.Root(), "to", "b")
		wantContent(t, target, content)
		wantPrivate(t, target)
	})
}

func TestMoveOntoTheSameBytesIsDone(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		w := newWorkspace(t)
		// Of the block size of the comparison, and beyond it.
		for _, size := range []int{0, 1, 32 << 10, 32<<10 + 1} {
			content := strings.Repeat("x", size)
			plant(t, w.Root(), "from/a", content)
			plant(t, w.Root(), "to/b", content)
			if err := newDir(t, w, "from").Move("a", newDir(t, w, "to"), "b"); err != nil {
				t.Fatalf("%d bytes: %v", size, err)
			}
			wantNames(t, filepath.Join(w.Root(), "from"))
			wantNames(t, filepath.Join(w.Root(), "to"), "b")
			wantContent(t, filepath.Join(w.Root(), "to", "b"), content)
			wantPrivate(t, filepath.Join(w.Root(), "to", "b"))
		}
	})
}

// Two names of one file are one whole copy: one of them may go, unless they might
// be one name in two spellings.
func TestMoveOfAHardLinkKeepsOneName(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		w := newWorkspace(t)
		from, to := newDir(t, w, "from"), newDir(t, w, "to")
		source := plant(t, w.Root(), "from/a", "only copy")
		for _, target := range []string{"from/b", "to/b"} {
			if err := os.Link(source, filepath.Join(w.Root(), filepath.FromSlash(target))); err != nil {
				t.Fatal(err)
			}
		}
		if err := from.Move("a", from, "b"); !errors.Is(err, fs.ErrExist) {
			t.Errorf("Move in one directory: %v, want ErrExist", err)
		}
		wantNames(t, filepath.Join(w.Root(), "from"), "a", "b")
		if err := from.Move("a", to, "b"); err != nil {
			t.Error(err)
		}
		wantNames(t, filepath.Join(w.Root(), "from"), "b")
		wantContent(t, filepath.Join(w.Root(), "to", "b"), "only copy")
		wantPrivate(t, filepath.Join(w.Root(), "to", "b"))
	})
}

// What killed writers of either name have left goes with the move.
func TestMoveSweepsBothNames(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		w := newWorkspace(t)
		from, to := newDir(t, w, "from"), newDir(t, w, "to")
		plant(t, w.Root(), "from/a", "source")
		plant(t, w.Root(), "from/"+newTempName("a"), "half")
		plant(t, w.Root(), "to/"+newTempName("b"), "half")
		others := newTempName("c")
		plant(t, w.Root(), "to/"+others, "half")
		if err := from.Move("a", to, "b"); err != nil {
			t.Fatal(err)
		}
		wantNames(t, filepath.Join(w.Root(), "from"))
		wantNames(t, filepath.Join(w.Root(), "to"), others, "b")
	})
}

func wantPrivate(t testing.TB, path string) {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%s has mode %v, want 0600", path, info.Mode())
	}
}

func TestMoveClobbersNothing(t *testing.T) {
	for name, take := range map[string]func(t *testing.T, root string){
		"other bytes":          func(t *testing.T, root string) { plant(t, root, "to/b", "Source") },
		"longer":               func(t *testing.T, root string) { plant(t, root, "to/b", "source+") },
		"a directory":          func(t *testing.T, root string) { plant(t, root, "to/b/x", "") },
		"an empty directory":   func(t *testing.T, root string) { os.MkdirAll(filepath.Join(root, "to", "b"), 0o755) },
		"a link to the source": func(t *testing.T, root string) { symlink(t, "../from/a", filepath.Join(root, "to", "b")) },
		"a dangling link":      func(t *testing.T, root string) { symlink(t, "nowhere", filepath.Join(root, "to", "b")) },
	} {
		t.Run(name, func(t *testing.T) {
			eachWay(t, func(t *testing.T) {
				w := newWorkspace(t)
				source := plant(t, w.Root(), "from/a", "source")
				from, to := newDir(t, w, "from"), newDir(t, w, "to")
				take(t, w.Root())
				info, err := os.Stat(source)
				if err != nil {
					t.Fatal(err)
				}
				before, err := os.Lstat(filepath.Join(w.Root(), "to", "b"))
				if err != nil {
					t.Fatal(err)
				}
				err = from.Move("a", to, "b")
				if exists, ok := errors.AsType[*ExistsError](err); !ok || exists.Path != "to/b" || !errors.Is(err, fs.ErrExist) {
					t.Fatalf("Move: %v, want an ExistsError for to/b", err)
				}
				wantContent(t, source, "source")
				if now, err := os.Stat(source); err != nil || now.Mode() != info.Mode() {
					t.Errorf("the source has mode %v, had %v", now.Mode(), info.Mode())
				}
				wantNames(t, filepath.Join(w.Root(), "to"), "b")
				after, err := os.Lstat(filepath.Join(w.Root(), "to", "b"))
				if err != nil || !os.SameFile(before, after) || before.Mode() != after.Mode() || before.Size() != after.Size() {
					t.Errorf("the target was touched: %v", err)
				}
			})
		})
	}
}

func TestMoveOntoItselfLosesNothing(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		w := newWorkspace(t)
		path := plant(t, w.Root(), "d/a", "only copy")
		dir := newDir(t, w, "d")
		if err := dir.Move("a", dir, "a"); !errors.Is(err, fs.ErrExist) {
			t.Errorf("Move onto itself: %v, want ErrExist", err)
		}
		wantContent(t, path, "only copy")
	})
}

func TestMoveTakesOnlyARegularFile(t *testing.T) {
	w := newWorkspace(t)
	plant(t, w.Root(), "from/directory/x", "")
	symlink(t, plant(t, w.Root(), "secret", "secret"), filepath.Join(w.Root(), "from", "link"))
	from, to := newDir(t, w, "from"), newDir(t, w, "to")
	for name, kind := range map[string]Kind{"directory": KindDirectory, "link": KindSymlink} {
		if err := from.Move(name, to, "b"); !isKind(err, kind) {
			t.Errorf("Move of a %s: %v, want a KindError", kind, err)
		}
	}
	if err := from.Move("missing", to, "b"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Move of nothing: %v, want ErrNotExist", err)
	}
	wantNames(t, filepath.Join(w.Root(), "to"))
}

// A first run that was killed on the way leaves a temporary file, or both whole
// copies, or one under two names; the second run finishes.
func TestSecondMoveFinishesWhatAKilledOneLeft(t *testing.T) {
	withoutRenameExclusive(t)
	const temp = "to/.tmp.b.ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for name, crash := range map[string]func(root string){
		"half a temporary file": func(root string) { plant(t, root, temp, "sour") },
		"published": func(root string) {
			os.Link(plant(t, root, temp, "source"), filepath.Join(root, "to", "b"))
		},
		"published and cleaned": func(root string) { plant(t, root, "to/b", "source") },
		"linked":                func(root string) { os.Link(filepath.Join(root, "from", "a"), filepath.Join(root, "to", "b")) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t)
			from, to := newDir(t, w, "from"), newDir(t, w, "to")
			plant(t, w.Root(), "from/a", "source")
			crash(w.Root())
			if err := from.Move("a", to, "b"); err != nil {
				t.Fatal(err)
			}
			wantNames(t, filepath.Join(w.Root(), "from"))
			wantNames(t, filepath.Join(w.Root(), "to"), "b")
			wantContent(t, filepath.Join(w.Root(), "to", "b"), "source")
		})
	}
}
