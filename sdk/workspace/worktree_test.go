package workspace

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// runGit runs git on a directory, without any settings of whoever runs the tests.
func runGit(t *testing.T, dir string, arguments ...string) {
	t.Helper()
	git := exec.Command("git", append([]string{
		"-C", dir, "-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false",
	}, arguments...)...)
	git.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool { return strings.HasPrefix(variable, "GIT_") })
	git.Env = append(git.Env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if output, err := git.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v: %s", arguments, err, output)
	}
}

// A linked work tree, whose .git is a file, is a root of its own, wherever it lies
// and whatever git tells its hooks.
func TestLinkedWorkTreeIsItsOwnRoot(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git: ", err)
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	main := filepath.Join(top, "main")
	plant(t, main, "datarim/tasks.md", "")
	plant(t, main, "datarim/snapshots/A-0001.snapshot.md", "")
	plant(t, main, "src/deep/file", "")
	runGit(t, main, "init", "--quiet")
	runGit(t, main, "add", "--all")
	runGit(t, main, "commit", "--quiet", "--message", "first")
	beside, below := filepath.Join(top, "beside"), filepath.Join(main, "trees", "below")
	for _, tree := range []string{beside, below} {
		runGit(t, main, "worktree", "add", "--quiet", tree)
		if info, err := os.Lstat(filepath.Join(tree, ".git")); err != nil || !info.Mode().IsRegular() {
			t.Fatalf("the .git of a linked work tree is no file: %v", err)
		}
	}

	find := func(t *testing.T) {
		for _, root := range []string{main, beside, below} {
			for _, from := range []string{".", "src", "src/deep", "datarim", "datarim/snapshots"} {
				t.Chdir(filepath.Join(root, from))
				if got, err := Find("."); got != root || err != nil {
					t.Errorf("Find from %s of %s = %q, %v", from, root, got, err)
				}
			}
		}
	}
	t.Run("on its own", find)
	t.Run("in a hook of another repository", func(t *testing.T) {
		t.Setenv("GIT_DIR", filepath.Join(main, ".git"))
		t.Setenv("GIT_WORK_TREE", beside)
		t.Setenv("GIT_INDEX_FILE", filepath.Join(main, ".git", "index"))
		t.Setenv("GIT_PREFIX", "src/")
		find(t)
	})
}
