//go:build unix

package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// wantSockets starts a plugin and checks the directory of its socket.
func wantSockets(t *testing.T, base string) {
	t.Helper()
	t.Cleanup(func() { goleak.VerifyNone(t) })
	p := mustStart(t, openPool(t), as("plugin", "good"))
	wantPrompt(t, p, "prompt")
	if filepath.Dir(p.sockets) != base {
		t.Errorf("the socket directory is %s; want it in %s", p.sockets, base)
	}
	info, err := os.Lstat(p.sockets)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != os.ModeDir|socketMode {
		t.Errorf("the mode is %v", info.Mode())
	}
	sockets, err := filepath.Glob(filepath.Join(p.sockets, "*"))
	if err != nil || len(sockets) != 1 {
		t.Fatalf("the sockets are %q, error %v", sockets, err)
	}
	// macOS has 104 bytes for it, with a zero at the end.
	if len(sockets[0]) > 103 {
		t.Errorf("%s has %d bytes", sockets[0], len(sockets[0]))
	}
}

// shortDir is a directory of the length, below /tmp.
func shortDir(t *testing.T, length int) string {
	t.Helper()
	base, err := os.MkdirTemp("/tmp", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	dir := filepath.Join(base, strings.Repeat("x", length-len(base)-1))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestSocketsInRuntimeDirectory(t *testing.T) {
	dir := shortDir(t, maxBase)
	t.Setenv("XDG_RUNTIME_DIR", dir)
	wantSockets(t, dir)
}

func TestSocketsInTemporaryDirectory(t *testing.T) {
	dir := shortDir(t, maxBase)
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Setenv("TMPDIR", dir)
	wantSockets(t, dir)
}

// A plugin whose socket's path is too long fails without saying why.
func TestSocketsWhenDirectoriesAreTooLong(t *testing.T) {
	dir := shortDir(t, maxBase+1)
	t.Setenv("XDG_RUNTIME_DIR", dir)
	t.Setenv("TMPDIR", dir)
	wantSockets(t, "/tmp")
}

func TestSocketsWhenDirectoriesAreMissing(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", "/no/such")
	t.Setenv("TMPDIR", "/no/such")
	wantSockets(t, "/tmp")
}

// The socket's path stands between bars in the handshake line.
func TestSocketsWhenDirectoriesWouldBreakTheHandshake(t *testing.T) {
	dir := shortDir(t, maxBase-4) + "/a|b"
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Setenv("TMPDIR", dir)
	wantSockets(t, "/tmp")
}
