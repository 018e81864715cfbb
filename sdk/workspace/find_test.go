package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestFindTakesTheTopLevelThenTheNearest(t *testing.T) {
	const none = ""
	for _, test := range []struct {
		name  string
		files []string
		from  string
		want  string
	}{
		{"root", []string{"p/.git/HEAD", "p/datarim/tasks.md"}, "p", "p"},
		{"backlog", []string{"p/datarim/backlog.md"}, "p", "p"},
		{"sub-folder", []string{"p/.git/HEAD", "p/datarim/tasks.md", "p/a/b/x"}, "p/a/b", "p"},
		{"snapshots", []string{"p/.git/HEAD", "p/datarim/tasks.md", "p/datarim/snapshots/x"}, "p/datarim/snapshots", "p"},
		{"snapshots without git", []string{"p/datarim/tasks.md", "p/datarim/snapshots/x"}, "p/datarim/snapshots", "p"},
		{"work tree below its repository", []string{"p/.git/HEAD", "p/datarim/tasks.md", "p/w/.git", "p/w/datarim/tasks.md", "p/w/a/x"}, "p/w/a", "p/w"},
		{"work tree without a workspace", []string{"p/datarim/tasks.md", "p/w/.git", "p/w/a/x"}, "p/w/a", "p"},
		{"git top level wins over a nearer one", []string{"p/.git/HEAD", "p/datarim/tasks.md", "p/a/datarim/tasks.md"}, "p/a", "p"},
		{"nearest without git", []string{"p/datarim/tasks.md", "p/a/datarim/tasks.md"}, "p/a", "p/a"},
		{"datarim in datarim", []string{"p/datarim/tasks.md", "p/datarim/datarim/tasks.md"}, "p/datarim/datarim", "p"},
		{"datarim is a repository", []string{"p/datarim/tasks.md", "p/datarim/.git/HEAD", "p/datarim/datarim/tasks.md"}, "p/datarim", "p"},
		{"no marker", []string{"p/.git/HEAD", "p/datarim/other.md"}, "p", none},
		{"marker is a directory", []string{"p/datarim/tasks.md/x"}, "p", none},
	} {
		t.Run(test.name, func(t *testing.T) {
			top, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range test.files {
				plant(t, top, file, "")
			}
			got, err := Find(filepath.Join(top, test.from))
			if test.want == none {
				if !errors.Is(err, ErrNotInside) {
					t.Fatalf("Find = %q, %v, want ErrNotInside", got, err)
				}
				return
			}
			if want := filepath.Join(top, test.want); got != want || err != nil {
				t.Fatalf("Find = %q, %v, want %q", got, err, want)
			}
		})
	}
}

func TestFindHeedsNoGitVariable(t *testing.T) {
	top := t.TempDir()
	plant(t, top, "p/datarim/tasks.md", "")
	plant(t, top, "other/.git/HEAD", "")
	plant(t, top, "other/datarim/tasks.md", "")
	t.Setenv("GIT_DIR", filepath.Join(top, "other", ".git"))
	t.Setenv("GIT_WORK_TREE", filepath.Join(top, "other"))
	got, err := Find(filepath.Join(top, "p"))
	if err != nil || filepath.Base(got) != "p" {
		t.Errorf("Find = %q, %v, want p", got, err)
	}
}

func TestFindCountsWhereASymlinkLeads(t *testing.T) {
	top := t.TempDir()
	plant(t, top, "p/datarim/tasks.md", "")
	plant(t, top, "p/a/x", "")
	symlink(t, filepath.Join(top, "p", "a"), filepath.Join(top, "alias"))
	got, err := Find(filepath.Join(top, "alias"))
	if err != nil || filepath.Base(got) != "p" {
		t.Errorf("Find = %q, %v, want p", got, err)
	}
}

// A clone of a project that is itself called datarim must not fall silent.
func TestFindNamesRefusedRoot(t *testing.T) {
	top := t.TempDir()
	plant(t, top, "datarim/.git/HEAD", "")
	plant(t, top, "datarim/datarim/tasks.md", "")
	_, err := Find(filepath.Join(top, "datarim"))
	if refused, ok := errors.AsType[*RootError](err); !ok || filepath.Base(refused.Path) != "datarim" {
		t.Errorf("Find: %v, want a RootError for datarim", err)
	}
	if _, err := Find(filepath.Join(top, "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Find from a missing directory: %v, want ErrNotExist", err)
	}
}
