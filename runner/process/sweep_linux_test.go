package process

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
)

// The directories of hosts that are dead are removed, and no others: not those that
// are held, nor those of other programs, nor what a link leads to.
func TestSweepSockets(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	base := shortDir(t, maxBase)
	t.Setenv("XDG_RUNTIME_DIR", base)
	dir := func(name string, mode os.FileMode) string {
		path := filepath.Join(base, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, "plugin1"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	dir("plugin-dir-dead", socketMode)
	dir("plugin-dir-foreign", 0o700)
	dir("elsewhere", socketMode)
	stranger := dir("plugin-dir-stranger", socketMode)
	if err := os.Chown(stranger, 4711, 4711); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("elsewhere", filepath.Join(base, "plugin-dir-link")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(base, "plugin-dir-fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	held, err := holdSockets(dir("plugin-dir-held", 0o700))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()

	pool := openPool(t)
	wantPrompt(t, mustStart(t, pool, as("plugin", "good")), "prompt")
	// Another host leaves this one's alone.
	sweepSockets(base)
	wantPrompt(t, mustStart(t, pool, as("plugin", "good")), "prompt")
	closePool(t, pool)
	want := []string{"elsewhere", "plugin-dir-fifo", "plugin-dir-foreign", "plugin-dir-held", "plugin-dir-link", "plugin-dir-stranger"}
	if got := names(t, base); !slices.Equal(got, want) {
		t.Errorf("left are %q; want %q", got, want)
	}
}

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		list = append(list, entry.Name())
	}
	return list
}

// A full file system for the sockets.
func TestSocketsInAFullDirectory(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	dir := shortDir(t, 30)
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "nr_inodes=1,mode=700"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Setenv("TMPDIR", dir)
	err := failStart(t, openPool(t), as("plugin", "good"))
	wantError(t, err, `no folder for its socket: mkdir `+dir+`/plugin-dir[0-9]+: no space left on device`)
	if hint := err.(*Error).Hint; hint != hintSockets {
		t.Errorf("the hint is %q", hint)
	}
}

// Another user cannot connect to a plugin: its socket is in a folder that they may
// not enter.
func TestOtherUsersCannotConnect(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	base := shortDir(t, maxBase)
	for dir := base; dir != "/tmp"; dir = filepath.Dir(dir) { // only the plugin's own folder keeps them out
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("XDG_RUNTIME_DIR", base)
	p := mustStart(t, openPool(t), as("plugin", "good"))
	sockets, err := filepath.Glob(filepath.Join(p.sockets, "*"))
	if err != nil || len(sockets) != 1 {
		t.Fatalf("the sockets are %q, error %v", sockets, err)
	}
	// Not even the rights of the socket itself would keep them out.
	if err := os.Chmod(sockets[0], 0o777); err != nil {
		t.Fatal(err)
	}
	for user, want := range map[int]error{0: nil, 4711: syscall.EACCES} {
		if err := connectAs(user, sockets[0]); !errors.Is(err, want) {
			t.Errorf("user %d: %v; want %v", user, err, want)
		}
	}
	wantPrompt(t, p, "prompt")
}

// connectAs connects to a socket as another user.
func connectAs(user int, socket string) error {
	result := make(chan error)
	go func() {
		runtime.LockOSThread() // and end with it: the thread remains that user's
		_, _, errno := syscall.RawSyscall(unix.SYS_SETRESUID, uintptr(user), uintptr(user), uintptr(user))
		if errno != 0 {
			result <- errno
			return
		}
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err == nil {
			err = unix.Connect(fd, &unix.SockaddrUnix{Name: socket})
			_ = unix.Close(fd)
		}
		result <- err
	}()
	return <-result
}
