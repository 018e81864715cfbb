//go:build unix

package archiver

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stagehook/stagehook/sdk/snapshot"
)

func TestTargetFolderIsTakenAwayMeanwhile(t *testing.T) {
	root := t.TempDir()
	plant(t, root, snapshot.Path(task), "new")
	ctx := meddling(t, root, func() { must(t, os.RemoveAll(filepath.Join(root, "documentation"))) })
	_, err := archive(ctx, t, root, task, "", "archive")
	wantFailure(t, err, "no such file or directory")
	wantTree(t, root, snapshot.Path(task)+": new")
}

// strangers make something at a path that is no regular file.
var strangers = map[string]func(t *testing.T, path string){
	"folder":           func(t *testing.T, path string) { must(t, os.Mkdir(path, 0o755)) },
	"FIFO":             func(t *testing.T, path string) { must(t, syscall.Mkfifo(path, 0o600)) },
	"link":             func(t *testing.T, path string) { must(t, os.Symlink("same", path)) },
	"link to nothing":  func(t *testing.T, path string) { must(t, os.Symlink("nothing", path)) },
	"link to a folder": func(t *testing.T, path string) { must(t, os.Symlink(".", path)) },
}

func TestSnapshotIsNoFile(t *testing.T) {
	for name, make := range strangers {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			plant(t, root, "datarim/snapshots/same", "new")
			make(t, filepath.Join(root, snapshot.Path(task)))
			_, err := archive(t.Context(), t, root, task, "", "stage-exit")
			kind, _, _ := strings.Cut(name, " ")
			kind = map[string]string{"folder": "directory", "FIFO": "FIFO", "link": "symlink"}[kind]
			wantFailure(t, err, snapshot.Path(task)+" is a "+kind+", not a regular file")
			must(t, os.Remove(filepath.Join(root, snapshot.Path(task)))) // which is still there
			wantTree(t, root, "datarim/snapshots/same: new", "documentation/archive/framework/snapshots/")
		})
	}
}

func TestTargetIsNoFile(t *testing.T) {
	for name, make := range strangers {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			plant(t, root, snapshot.Path(task), "new")
			plant(t, root, "documentation/archive/framework/snapshots/same", "new")
			target := filepath.Join(root, filepath.FromSlash(archived)+".md")
			make(t, target)
			before, err := os.Lstat(target)
			must(t, err)

			_, err = archive(t.Context(), t, root, task, "", "archive")
			wantFailure(t, err, archived+".md exists with other content")
			res, err := archive(t.Context(), t, root, task, "", "stage-exit")
			if err != nil || res.Path != archived+".2.md" {
				t.Errorf("got %+v, %v", res, err)
			}

			if after, err := os.Lstat(target); err != nil || !os.SameFile(before, after) {
				t.Errorf("the target was touched: %v", err)
			}
			must(t, os.Remove(target))
			wantTree(t, root, "datarim/snapshots/", "documentation/archive/framework/snapshots/same: new", archived+".2.md: new")
		})
	}
}

// No folder on the way is followed out of its place, inside the root or not.
func TestFolderOnTheWayIsNone(t *testing.T) {
	for _, name := range []string{"documentation", "documentation/archive", "documentation/archive/framework", "documentation/archive/framework/snapshots"} {
		for kind, make := range map[string]func(t *testing.T, path string){
			"symlink": func(t *testing.T, path string) {
				must(t, os.Mkdir(path+".real", 0o755))
				must(t, os.Symlink(filepath.Base(path)+".real", path))
			},
			"regular file": func(t *testing.T, path string) { must(t, os.WriteFile(path, nil, 0o644)) },
		} {
			t.Run(name+" "+kind, func(t *testing.T) {
				root := t.TempDir()
				plant(t, root, snapshot.Path(task), "new")
				path := filepath.Join(root, filepath.FromSlash(name))
				must(t, os.MkdirAll(filepath.Dir(path), 0o755))
				make(t, path)
				before := tree(t, root)
				_, err := archive(t.Context(), t, root, task, "", "stage-exit")
				wantFailure(t, err, name+" is a "+kind+", not a directory")
				wantTree(t, root, before...)
			})
		}
	}
}

// Folders that exist keep their modes; new ones are for everybody, and what is
// moved into them is not. The umask has no say.
func TestModes(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o077))
	root := t.TempDir()
	plant(t, root, snapshot.Path(task), "new")
	must(t, os.Chmod(filepath.Join(root, snapshot.Path(task)), 0o644))
	must(t, os.MkdirAll(filepath.Join(root, "documentation", "archive"), 0o755))
	must(t, os.Chmod(filepath.Join(root, "documentation"), 0o750))
	must(t, os.Chmod(filepath.Join(root, "documentation", "archive"), 0o770))
	if _, err := archive(t.Context(), t, root, task, "", "archive"); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{
		"documentation":                             0o750,
		"documentation/archive":                     0o770,
		"documentation/archive/framework":           0o755,
		"documentation/archive/framework/snapshots": 0o755,
		archived + ".md":                            0o600,
		"datarim/snapshots":                         0o700,
	} {
		info, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
		must(t, err)
		if info.Mode().Perm() != mode {
			t.Errorf("%s has mode %v; want %v", name, info.Mode().Perm(), mode)
		}
	}
}
