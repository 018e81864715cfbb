//go:build unix

package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func fifo(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func linked(t testing.TB, target string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
	return path
}

func socket(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "") // short enough for a socket
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = listener.Close()
		_ = os.RemoveAll(dir)
	})
	return filepath.Join(dir, "s")
}

// What is no file is refused unopened: of the terminal, which the command has
// none of, the system would say that it is no such device.
func TestInputThatIsNoFile(t *testing.T) {
	for name, test := range map[string]struct{ path, kind string }{
		"directory":           {t.TempDir(), "directory"},
		"link to a directory": {linked(t, t.TempDir()), "directory"},
		"socket":              {socket(t), "socket"},
		"endless device":      {"/dev/zero", "device"},
		"terminal":            {"/dev/tty", "device"},
		"link to a device":    {linked(t, "/dev/zero"), "device"},
	} {
		t.Run(name, func(t *testing.T) {
			body := newCall(t, "--body-file", test.path)
			body.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
			body.run().wantRefused(fmt.Sprintf("--body-file: %s is a %s, not a file", test.path, test.kind))
			options := newCall(t, "--body-file", "/dev/null", "--options-file", test.path)
			options.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
			options.run().wantRefused(fmt.Sprintf("--options-file: %s is a %s, not a file", test.path, test.kind))
		})
	}
}

// Whatever is put in the place of a file while it is being opened is not read.
func TestInputThatIsSwapped(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "body")
	swap := func(target string) {
		next := filepath.Join(dir, "next")
		if err := os.Symlink(target, next); err != nil {
			t.Error(err)
		}
		if err := os.Rename(next, name); err != nil {
			t.Error(err)
		}
	}
	regular := file(t, "regular", "x")
	swap(regular)
	done := make(chan struct{})
	var swapping sync.WaitGroup
	swapping.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				swap("/dev/zero")
				swap(regular)
			}
		}
	})
	for range 5000 {
		opened, err := openInput(name)
		if err != nil {
			continue
		}
		info, err := opened.Stat()
		_ = opened.Close()
		if err != nil || !info.Mode().IsRegular() {
			t.Errorf("opened %v, %v", info.Mode(), err)
			break
		}
	}
	close(done)
	swapping.Wait()
}

// The ways in which people hand over a file.
func TestInputThatIsRead(t *testing.T) {
	const body = "All done.\n"
	path := file(t, "body.md", body)
	stdin := func(reader io.Reader) func(*call) { return func(c *call) { c.Stdin = reader } }
	for name, test := range map[string]struct {
		flag    string
		prepare func(*call)
		want    string
	}{
		"file":                    {path, nil, body},
		"link to a file":          {linked(t, path), nil, body},
		"null device":             {"/dev/null", nil, ""},
		"link to the null device": {linked(t, "/dev/null"), nil, ""},
		"pipe":                    {"-", stdin(strings.NewReader(body)), body},
		"pipe by its path":        {"/dev/stdin", stdin(strings.NewReader(body)), body},
		"pipe by its number":      {"/dev/fd/0", stdin(strings.NewReader(body)), body},
		"no input":                {"-", nil, ""},
		"closed input":            {"-", func(c *call) { c.by("sh", `exec "$@" <&-`) }, ""},
		"closed input by its path": {
			"/dev/stdin", func(c *call) { c.by("sh", `exec "$@" <&-`) }, "",
		},
		"here document":        {"-", func(c *call) { c.by("sh", "exec \"$@\" <<'END'\nAll done.\nEND\n") }, body},
		"file as input":        {"/dev/stdin", func(c *call) { c.by("sh", `exec "$@" <"`+path+`"`) }, body},
		"rest of an input":     {"/dev/stdin", func(c *call) { c.by("sh", `{ read first; exec "$@"; } <"`+file(t, "two", "first\n"+body)+`"`) }, body},
		"another descriptor":   {"/dev/fd/7", func(c *call) { c.by("sh", `exec "$@" 7<"`+path+`"`) }, body},
		"piped descriptor":     {"/dev/fd/7", func(c *call) { c.by("sh", `printf 'All done.\n' | { exec "$@" 7<&0 </dev/null; }`) }, body},
		"process substitution": {"", func(c *call) { c.by("bash", `exec "$@" --body-file <(printf 'All done.\n')`) }, body},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCall(t)
			if test.flag != "" {
				c.Args = append(c.Args, "--body-file", test.flag)
			}
			if test.prepare != nil {
				test.prepare(c)
			}
			c.run().wantBody(test.want)
		})
	}
}

// Programs that are started by others often have a socket as standard input,
// which cannot be opened by its path.
func TestInputThatIsASocket(t *testing.T) {
	for _, name := range []string{"-", "/dev/stdin"} {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err != nil {
			t.Fatal(err)
		}
		ours, theirs := os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs")
		if _, err := ours.WriteString("All done.\n"); err != nil {
			t.Fatal(err)
		}
		_ = ours.Close()
		c := newCall(t, "--body-file", name)
		c.Stdin = theirs
		c.run().wantBody("All done.\n")
		_ = theirs.Close()
	}
}

func TestInputFromAFIFO(t *testing.T) {
	path := fifo(t)
	c := newCall(t, "--body-file", linked(t, path), "--options-file", file(t, "options", "\n/dr-do | x\n"), "--json")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	// Opening waits for the reader.
	writer, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"All ", "done.\n"} {
		if _, err := writer.WriteString(part); err != nil {
			t.Fatal(err)
		}
	}
	_ = writer.Close()
	c.ends().wantBody("All done.\n")
}

// Standard input serves one flag, however it is named.
func TestInputServesOneFlag(t *testing.T) {
	for _, names := range [][2]string{{"-", "-"}, {"-", "/dev/stdin"}, {"/dev/fd/0", "-"}} {
		c := newCall(t, "--body-file", names[0], "--options-file", names[1]).run()
		if c.code != 2 || !strings.HasPrefix(c.stderr.String(), "stagehook: standard input can serve --body-file or --options-file, not both\n") {
			t.Errorf("%q: exit code %d, %s", names, c.code, c.stderr.String())
		}
	}
}

// What somebody has typed ahead stays for who asks for it next.
func TestInputThatNobodyAskedForStaysUnread(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	const typed = "typed ahead\n"
	if _, err := writer.WriteString(typed); err != nil {
		t.Fatal(err)
	}
	_ = writer.Close()
	c := newCall(t, "--body-file", file(t, "body", "x"), "--options-file", file(t, "options", "/dr-do | x\n"))
	c.Stdin = reader
	c.run().wantBody("x")
	if rest, err := io.ReadAll(reader); err != nil || string(rest) != typed {
		t.Errorf("of the input is left %q, %v", rest, err)
	}
}
