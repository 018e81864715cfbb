//go:build unix

package validator

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// What a case is at schema level.
const (
	passes = ""
	both   = "the same"
)

// problem is a way to spoil a valid file, and what the plugin says of it.
type problem struct {
	name   string
	spoil  func(t *testing.T, path string)
	code   string // at strict level
	detail string // a part of it
	schema string // passes, both or another code
}

// edit spoils the content. The size it declares is made true again, unless that
// is what is edited.
func edit(change func(file string) string) func(*testing.T, string) {
	return func(t *testing.T, path string) {
		t.Helper()
		data, err := os.ReadFile(path)
		must(t, err)
		file := change(string(data))
		if file == string(data) {
			t.Fatal("the edit changes nothing")
		}
		declared := "size_bytes: %d\n" // as many digits as before
		file = strings.Replace(file, fmt.Sprintf(declared, len(data)), fmt.Sprintf(declared, len(file)), 1)
		must(t, os.WriteFile(path, []byte(file), 0o600))
	}
}

// replace replaces a text that is there once.
func replace(old, new string) func(*testing.T, string) {
	return edit(func(file string) string {
		if strings.Count(file, old) != 1 {
			return file
		}
		return strings.Replace(file, old, new, 1)
	})
}

func without(name string) func(*testing.T, string) {
	return edit(func(file string) string {
		before, rest, _ := strings.Cut(file, name+":")
		_, after, _ := strings.Cut(rest, "\n")
		for strings.HasPrefix(after, "  - ") {
			_, after, _ = strings.Cut(after, "\n")
		}
		return before + after
	})
}

func prefix(text string) func(*testing.T, string) {
	return edit(func(file string) string { return text + file })
}

func suffix(text string) func(*testing.T, string) {
	return edit(func(file string) string { return file + text })
}

func content(text string) func(*testing.T, string) {
	return edit(func(string) string { return text })
}

// instead puts something else at the path.
func instead(make func(t *testing.T, path string)) func(*testing.T, string) {
	return func(t *testing.T, path string) {
		t.Helper()
		must(t, os.Rename(path, path+".real"))
		make(t, path)
	}
}

func mode(mode os.FileMode) func(*testing.T, string) {
	return func(t *testing.T, path string) { must(t, os.Chmod(path, mode)) }
}

func owner(uid int) func(*testing.T, string) {
	return func(t *testing.T, path string) {
		if os.Geteuid() != 0 {
			t.Skip("only root can give a file away")
		}
		must(t, os.Chown(path, uid, -1))
	}
}

func device(major, minor int) func(*testing.T, string) {
	return instead(func(t *testing.T, path string) {
		if os.Geteuid() != 0 {
			t.Skip("only root can make a device")
		}
		must(t, syscall.Mknod(path, syscall.S_IFCHR|0o600, major<<8|minor))
	})
}

// files are the problems of the file as such.
var files = []problem{
	{"symlink", instead(func(t *testing.T, path string) { must(t, os.Symlink(path+".real", path)) }), snapshot.CodeSymlink, snapshot.Path(task), both},
	{"symlink to nothing", instead(func(t *testing.T, path string) { must(t, os.Symlink("nothing", path)) }), snapshot.CodeSymlink, snapshot.Path(task), both},
	{"symlinked folder", func(t *testing.T, path string) {
		dir := filepath.Dir(path)
		must(t, os.Rename(dir, dir+".real"))
		must(t, os.Symlink(dir+".real", dir))
	}, snapshot.CodeSymlink, "datarim/snapshots is a symlink", both},
	{"folder", instead(func(t *testing.T, path string) { must(t, os.Mkdir(path, 0o700)) }), snapshot.CodeNotRegular, "is a directory", both},
	{"FIFO", instead(func(t *testing.T, path string) { must(t, syscall.Mkfifo(path, 0o600)) }), snapshot.CodeNotRegular, "is a FIFO", both},
	{"socket", instead(func(t *testing.T, path string) {
		t.Chdir(filepath.Dir(path)) // the path of a socket is limited
		socket, err := net.Listen("unix", filepath.Base(path))
		must(t, err)
		t.Cleanup(func() { socket.Close() })
	}), snapshot.CodeNotRegular, "is a socket", both},
	{"endless device", device(1, 5), snapshot.CodeNotRegular, "is a device", both},
	{"no folder", func(t *testing.T, path string) {
		dir := filepath.Dir(path)
		must(t, os.RemoveAll(dir))
		must(t, os.WriteFile(dir, nil, 0o600))
	}, snapshot.CodeNotRegular, "datarim/snapshots is a regular file", both},
	{"above the cap", func(t *testing.T, path string) { must(t, os.Truncate(path, snapshot.MaxBytes+1)) }, snapshot.CodeTooLarge, "8193 bytes; at most 8192", passes},
	{"a terabyte of nothing", func(t *testing.T, path string) { must(t, os.Truncate(path, 1<<40)) }, snapshot.CodeTooLarge, "1099511627776 bytes", both},
	{"not readable", mode(0), snapshot.CodeUnreadable, "permission denied", both},
	{"folder not readable", func(t *testing.T, path string) {
		must(t, os.Chmod(filepath.Dir(path), 0))
		t.Cleanup(func() { os.Chmod(filepath.Dir(path), 0o700) })
	}, snapshot.CodeUnreadable, "permission denied", both},
	{"another's", owner(1), snapshot.CodeWrongOwner, "user", passes},
	{"writable by the group", mode(0o620), snapshot.CodeWritableByOthers, "-rw--w----", passes},
	{"writable by others", mode(0o602), snapshot.CodeWritableByOthers, "-rw-----w-", passes},
	{"writable by all", mode(0o666), snapshot.CodeWritableByOthers, "-rw-rw-rw-", passes},
}

func TestProblems(t *testing.T) {
	for _, p := range append(files, contents...) {
		t.Run(p.name, func(t *testing.T) {
			root, path := store(t, example())
			p.spoil(t, path)
			want := map[snapshot.Level]string{"": p.code, snapshot.LevelStrict: p.code, snapshot.LevelSchema: p.schema}
			if p.schema == both {
				want[snapshot.LevelSchema] = p.code
			}
			asBoundUser(t, p.code == snapshot.CodeUnreadable, root, func() {
				for level, code := range want {
					res := validate(t, root, level)
					switch {
					case code == passes && (res.Verdict != hook.VerdictValid || res.Problem != nil):
						t.Errorf("level %q: got %s, %+v", level, res.Verdict, res.Problem)
					case code != passes && (res.Verdict != hook.VerdictMalformed || res.Snapshot != nil || res.Problem.Code != code):
						t.Errorf("level %q: got %s, %+v; want %s", level, res.Verdict, res.Problem, code)
					case code == p.code && !strings.Contains(res.Problem.Detail, p.detail):
						t.Errorf("level %q: %q does not tell %q", level, res.Problem.Detail, p.detail)
					case code != passes && (len(res.Problem.Detail) > 300 || strings.ContainsAny(res.Problem.Detail, "\r\n")):
						t.Errorf("level %q: %q is not one short line", level, res.Problem.Detail)
					}
				}
			})
		})
	}
}

// asBoundUser runs a function as a user that permissions bind. Root, whom they do
// not, becomes another user for it, the owner of what is in the workspace.
func asBoundUser(t *testing.T, bound bool, root string, run func()) {
	t.Helper()
	if bound && os.Geteuid() == 0 {
		const nobody = 65534
		must(t, os.Chmod(filepath.Dir(root), 0o755))
		for path := filepath.Join(root, filepath.FromSlash(snapshot.Path(task))); ; path = filepath.Dir(path) {
			must(t, os.Lchown(path, nobody, nobody))
			if path == root {
				break
			}
		}
		must(t, syscall.Seteuid(nobody))
		defer syscall.Seteuid(0)
	}
	run()
}

// A second name, a mode that only lets read and an old date are no problems.
func TestHarmless(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, path string){
		"hard link":          func(t *testing.T, path string) { must(t, os.Link(path, path+".other")) },
		"readable by others": mode(0o644),
		"executable":         mode(0o755),
		"read-only":          mode(0o400),
		"folder of all":      func(t *testing.T, path string) { must(t, os.Chmod(filepath.Dir(path), 0o777)) },
	} {
		t.Run(name, func(t *testing.T) {
			root, path := store(t, example())
			change(t, path)
			for _, level := range levels {
				if res := validate(t, root, level); res.Verdict != hook.VerdictValid {
					t.Errorf("%s: got %+v", level, res.Problem)
				}
			}
		})
	}
}

// The file whose owner and mode are judged is the one that was read, though the
// name belongs to another one each moment.
func TestJudgesTheFileItReads(t *testing.T) {
	root, path := store(t, example())
	mine, theirs := path+".mine", path+".theirs"
	must(t, os.Rename(path, mine))
	forged := example()
	forged.Body = []byte("Forged!!!\n")
	file, _, err := snapshot.Render(forged, snapshot.RenderOptions{})
	must(t, err)
	must(t, os.WriteFile(theirs, file, 0o600))
	must(t, os.Chmod(theirs, 0o666))
	show := func(file string) {
		must(t, os.Link(file, path+".next"))
		must(t, os.Rename(path+".next", path))
		os.Remove(path + ".next") // which stays when both are one file already
	}
	show(mine)

	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				show(theirs)
				show(mine)
			}
		}
	}()
	defer func() { <-stopped }()
	defer close(stop)
	seen := map[hook.Verdict]int{}
	deadline := time.Now().Add(time.Minute)
	for i := 0; i < 2000 || seen[hook.VerdictValid] == 0 || seen[hook.VerdictMalformed] == 0; i++ {
		res := validate(t, root, snapshot.LevelStrict)
		seen[res.Verdict]++
		if res.Verdict == hook.VerdictValid && string(res.Snapshot.Body) != "All done.\n" {
			t.Fatalf("%q was accepted", res.Snapshot.Body)
		}
		if time.Now().After(deadline) {
			t.Fatalf("after a minute there were only the verdicts %v", seen)
		}
	}
}
