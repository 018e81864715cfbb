package workspace

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReplaceLeavesNothingButTheNewBytes(t *testing.T) {
	w := newWorkspace(t)
	dir := newDir(t, w, "d")
	path := filepath.Join(w.Root(), "d", "file")
	for _, content := range []string{"first", "", strings.Repeat("x", 1<<20), "last"} {
		if err := dir.Replace("file", []byte(content)); err != nil {
			t.Fatal(err)
		}
		wantContent(t, path, content)
		wantNames(t, filepath.Join(w.Root(), "d"), "file")
	}
}

func TestReplaceTakesTheSymlinkNotItsTarget(t *testing.T) {
	w := newWorkspace(t)
	dir := newDir(t, w, "d")
	inside := plant(t, w.Root(), "inside", "kept")
	outside := plant(t, t.TempDir(), "outside", "kept")
	for _, target := range []string{"../inside", outside, "nowhere"} {
		link := filepath.Join(w.Root(), "d", "file")
		os.Remove(link)
		symlink(t, target, link)
		if err := dir.Replace("file", []byte("new")); err != nil {
			t.Fatal(err)
		}
		info, err := os.Lstat(link)
		if err != nil || !info.Mode().IsRegular() {
			t.Fatalf("the symlink to %s was not replaced: %v", target, err)
		}
		wantContent(t, link, "new")
	}
	wantContent(t, inside, "kept")
	wantContent(t, outside, "kept")
	wantNames(t, filepath.Join(w.Root(), "d"), "file")
}

func TestReplaceRefusesDirectory(t *testing.T) {
	w := newWorkspace(t)
	dir := newDir(t, w, "d")
	newDir(t, w, "d/empty")
	if err := dir.Replace("empty", []byte("new")); !isKind(err, KindDirectory) {
		t.Errorf("Replace of a directory: %v, want a KindError", err)
	}
	wantNames(t, filepath.Join(w.Root(), "d"), "empty")
}

func TestReplaceSweepsOnlyItsOwnDebris(t *testing.T) {
	w := newWorkspace(t)
	dir := newDir(t, w, "d")
	token := rand.Text()
	kept := []string{
		".tmp.A-0001." + token,                 // another name's
		".tmp.A-0001.snapshot.md",              // no token
		".tmp.A-0001.snapshot.md." + token[1:], // too short a token
		".tmp.A-0001.snapshot.md.bak." + token,
		".tmp.A-00010.snapshot.md." + token,
		".tmp.AA-0001.snapshot.md." + token,
	}
	for _, name := range kept {
		plant(t, w.Root(), "d/"+name, "")
	}
	plant(t, w.Root(), "d/.tmp.A-0001.snapshot.md."+token, "half of it")
	planted := ".tmp.A-0001.snapshot.md." + rand.Text()
	symlink(t, plant(t, t.TempDir(), "outside", "kept"), filepath.Join(w.Root(), "d", planted))

	if err := dir.Replace("A-0001.snapshot.md", []byte("new")); err != nil {
		t.Fatal(err)
	}
	names, err := dir.Names()
	if err != nil || len(names) != len(kept)+2 {
		t.Fatalf("left are %q, %v, want the %d others, the planted link and the file", names, err, len(kept))
	}
	for _, name := range append(kept, planted) {
		if _, err := dir.lstat(name); err != nil {
			t.Errorf("%s is gone: %v", name, err)
		}
	}
}

// The name of a temporary file cannot be guessed; if it is taken all the same, what
// is there is neither followed nor written to.
func TestPlantedTemporaryNameIsLeftAlone(t *testing.T) {
	w := newWorkspace(t)
	dir := newDir(t, w, "d")
	outside := plant(t, t.TempDir(), "outside", "kept")
	file := plant(t, w.Root(), "d/file", "kept")
	symlink(t, outside, filepath.Join(w.Root(), "d", "link"))
	symlink(t, "nowhere", filepath.Join(w.Root(), "d", "dangling"))
	for _, name := range []string{"file", "link", "dangling"} {
		if err := dir.create(name, func(*os.File) error { return nil }); !errors.Is(err, fs.ErrExist) {
			t.Errorf("create of %s: %v, want ErrExist", name, err)
		}
	}
	wantContent(t, file, "kept")
	wantContent(t, outside, "kept")
	wantNames(t, filepath.Dir(file), "dangling", "file", "link")
}

// A file that cannot be closed, as on a file system that writes late, is not
// published.
func TestFailedCloseKeepsTheOldFile(t *testing.T) {
	w := newWorkspace(t)
	dir := newDir(t, w, "d")
	path := plant(t, w.Root(), "d/file", "old")
	_, err := dir.createTemp("file", func(file *os.File) error { return file.Close() })
	if !errors.Is(err, os.ErrClosed) {
		t.Errorf("createTemp: %v, want ErrClosed", err)
	}
	wantContent(t, path, "old")
	wantNames(t, filepath.Dir(path), "file")
}

func BenchmarkReplace(b *testing.B) {
	dir := newDir(b, newWorkspace(b), "d")
	data := make([]byte, 8192)
	for b.Loop() {
		if err := dir.Replace("file", data); err != nil {
			b.Fatal(err)
		}
	}
}
