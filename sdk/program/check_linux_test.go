package program

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// With "check" as its first argument the test binary checks the second and prints
// what comes of it.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "check" {
		fmt.Print(Check(os.Args[2]))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const stranger = 4711

// tree makes a program in folders that everyone may enter: base/a/b/prog.
func tree(t testing.TB) (base, prog string) {
	t.Helper()
	base, err := os.MkdirTemp("/tmp", "program")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	prog = filepath.Join(base, "a", "b", "prog")
	for _, dir := range []string{base, filepath.Join(base, "a"), filepath.Join(base, "a", "b")} {
		_ = os.Mkdir(dir, 0o755)
		mode(t, dir, 0o755)
	}
	if err := os.WriteFile(prog, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	mode(t, prog, 0o755)
	return base, prog
}

func mode(t testing.TB, path string, mode uint32) {
	t.Helper()
	if err := syscall.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func own(t testing.TB, path string, uid, gid int) {
	t.Helper()
	if err := os.Lchown(path, uid, gid); err != nil {
		t.Fatal(err)
	}
}

func link(t testing.TB, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

func TestCheck(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Fatal("needs root, to make files of other users")
	}
	for name, test := range map[string]struct {
		change func(t *testing.T, base, prog string) (path string)
		want   string // with BASE for the folder; empty when the program may be run
	}{
		"as it should be":   {func(*testing.T, string, string) string { return "" }, ""},
		"writable program":  {func(t *testing.T, _, prog string) string { mode(t, prog, 0o757); return "" }, "every user may write to BASE/a/b/prog"},
		"writable folder":   {func(t *testing.T, base, _ string) string { mode(t, base+"/a/b", 0o777); return "" }, "every user may write to BASE/a/b"},
		"writable ancestor": {func(t *testing.T, base, _ string) string { mode(t, base, 0o777); return "" }, "every user may write to BASE"},
		"sticky ancestor":   {func(t *testing.T, base, _ string) string { mode(t, base, 0o1777); return "" }, ""},
		"of another user": {func(t *testing.T, _, prog string) string { own(t, prog, stranger, 0); return "" },
			"BASE/a/b/prog belongs to user 4711, who is neither you nor root"},
		"folder of another user": {func(t *testing.T, base, _ string) string { own(t, base+"/a", stranger, stranger); return "" }, ""},
		"writable for a group": {func(t *testing.T, base, prog string) string {
			mode(t, prog, 0o775)
			mode(t, base+"/a/b", 0o2775)
			own(t, base+"/a/b", 0, 50)
			return ""
		}, ""},
		"link": {func(t *testing.T, base, prog string) string { link(t, prog, base+"/l"); return base + "/l" }, ""},
		"link from a writable folder": {func(t *testing.T, base, prog string) string {
			link(t, "../../a/b/prog", base+"/a/b/l")
			_ = os.Mkdir(base+"/w", 0o755)
			link(t, "../a/b/prog", base+"/w/l")
			mode(t, base+"/w", 0o777)
			return base + "/w/l"
		}, "every user may write to BASE/w"},
		"link into a writable folder": {func(t *testing.T, base, prog string) string {
			link(t, prog, base+"/l")
			mode(t, base+"/a", 0o777)
			return base + "/l"
		}, "every user may write to BASE/a"},
		"link through a writable folder": {func(t *testing.T, base, prog string) string {
			_ = os.Mkdir(base+"/w", 0o755)
			link(t, prog, base+"/w/second")
			link(t, "w/second", base+"/first")
			mode(t, base+"/w", 0o777)
			return base + "/first"
		}, "every user may write to BASE/w"},
		"link out of a folder to a stranger's": {func(t *testing.T, base, prog string) string {
			_ = os.Mkdir(base+"/s", 0o755)
			_ = os.Mkdir(base+"/s/mine", 0o755)
			link(t, prog, base+"/s/theirs")
			own(t, base+"/s/theirs", stranger, stranger)
			mode(t, base+"/s", 0o1777)
			link(t, "../theirs", base+"/s/mine/l")
			return base + "/s/mine/l"
		}, "BASE/s/theirs belongs to user 4711, who is neither you nor root"},
		"link of a folder": {func(t *testing.T, base, _ string) string {
			link(t, "a", base+"/l")
			mode(t, base+"/a/b", 0o777)
			return base + "/l/b/prog"
		}, "every user may write to BASE/a/b"},
		"another user's link in a sticky folder": {func(t *testing.T, base, prog string) string {
			_ = os.Mkdir(base+"/s", 0o755)
			mode(t, base+"/s", 0o1777)
			link(t, prog, base+"/s/l")
			own(t, base+"/s/l", stranger, stranger)
			return base + "/s/l"
		}, "BASE/s/l belongs to user 4711, who is neither you nor root"},
		"links in a circle": {func(t *testing.T, base, _ string) string { link(t, "l", base+"/l"); return base + "/l" }, ""},
		"missing":           {func(_ *testing.T, base, _ string) string { return base + "/missing" }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			base, prog := tree(t)
			if path := test.change(t, base, prog); path != "" {
				prog = path
			}
			err := Check(prog)
			if test.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var unsafe *UnsafeError
			if !errors.As(err, &unsafe) || unsafe.Error() != strings.ReplaceAll(test.want, "BASE", base) || unsafe.Hint == "" {
				t.Errorf("got %v; want %s", err, test.want)
			}
		})
	}
}

// as checks a program as another user, or in a namespace of its own.
func as(t *testing.T, prog string, attributes *syscall.SysProcAttr) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(filepath.Dir(prog), "checker") // where others may run it
	if err := os.WriteFile(copied, data, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(copied, "check", prog)
	cmd.Dir, cmd.SysProcAttr = "/", attributes
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return string(output)
}

// What belongs to root or oneself may be run; to a user whom root is not.
func TestCheckAsAnotherUser(t *testing.T) {
	other := &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: stranger, Gid: stranger}}
	for owner, want := range map[int]string{0: "<nil>", stranger: "<nil>", stranger + 1: "belongs to user 4712, who is neither you nor root"} {
		_, prog := tree(t)
		own(t, prog, owner, 0)
		if got := as(t, prog, other); !strings.HasSuffix(got, want) {
			t.Errorf("owner %d: %s; want %s", owner, got, want)
		}
	}
}

// In a user namespace that knows only its own user, root's programs seem to belong
// to nobody.
func TestCheckInAUserNamespace(t *testing.T) {
	inside := &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 1000, HostID: stranger, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 1000, HostID: stranger, Size: 1}},
	}
	_, prog := tree(t)
	if got := as(t, prog, inside); got != "<nil>" {
		t.Error(got)
	}
	nobody := &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: stranger, Gid: stranger}}
	own(t, prog, 65534, 0)
	if got := as(t, prog, nobody); !strings.Contains(got, "belongs to user 65534") {
		t.Errorf("outside of one: %s", got)
	}
}

func BenchmarkCheck(b *testing.B) {
	for b.Loop() {
		if err := Check("/usr/bin/env"); err != nil {
			b.Fatal(err)
		}
	}
}
