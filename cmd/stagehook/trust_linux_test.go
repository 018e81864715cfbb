package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const question = "trust it? [y/N] "

// asked runs trust on a terminal until it asks, does what a person does then, and
// returns what came after the question and the exit code.
func asked(t *testing.T, c *call, then func(screen *os.File)) (string, int) {
	t.Helper()
	screen, program := openTerminal(t)
	c.Stdin, c.Stdout, c.Stderr = program, program, program
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_ = program.Close()
	var seen strings.Builder
	buffer := make([]byte, 4096)
	for !strings.HasSuffix(seen.String(), question) {
		n, err := screen.Read(buffer)
		seen.Write(buffer[:n])
		if err != nil {
			t.Fatalf("it has not asked, but printed %q", seen.String())
		}
	}
	then(screen)
	rest, _ := io.ReadAll(screen) // its end is an error
	c.ends()
	return string(rest), c.code
}

// On a terminal only a yes is one. What was shown is what is trusted then, whatever
// has been put in its place in the meantime.
func TestTrustAsksOnATerminal(t *testing.T) {
	const text = "plugins: {x: {command: [prog, \"a\\e[2J\\u200b\"]}}\n"
	types := func(answer string) func(*os.File) {
		return func(screen *os.File) { _, _ = screen.WriteString(answer) }
	}
	for name, test := range map[string]struct {
		then    func(t *testing.T, c *call, screen *os.File)
		code    int
		trusted string // the content
	}{
		"yes":      {func(_ *testing.T, _ *call, s *os.File) { types("y\n")(s) }, 0, text},
		"yes, big": {func(_ *testing.T, _ *call, s *os.File) { types(" YES \n")(s) }, 0, text},
		"no":       {func(_ *testing.T, _ *call, s *os.File) { types("n\n")(s) }, 1, ""},
		"nothing":  {func(_ *testing.T, _ *call, s *os.File) { types("\n")(s) }, 1, ""},
		"the end":  {func(_ *testing.T, _ *call, s *os.File) { types("\x04")(s) }, 1, ""},
		"a signal": {func(_ *testing.T, c *call, _ *os.File) { _ = c.Process.Signal(syscall.SIGINT) }, 130, ""},
		"swapped": {func(t *testing.T, c *call, s *os.File) {
			path := filepath.Join(c.root, "datarim", "stagehook.yaml")
			if err := os.WriteFile(path, []byte("plugins: {x: {command: [evil]}}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			types("y\n")(s)
		}, 0, text},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			path := filepath.Join(root, "datarim", "stagehook.yaml")
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			in := func(args ...string) *call {
				c := commandIn(t, root, args...)
				c.Env = append(c.Env, "XDG_STATE_HOME="+root)
				return c
			}
			c := in("trust", path)
			rest, code := asked(t, c, func(screen *os.File) { test.then(t, c, screen) })
			if code != test.code || strings.Contains(rest, "trusted "+path) != (code == 0) {
				t.Errorf("exit code %d, then %q", code, rest)
			}
			list := in("trust", "--list").run()
			if trusted := strings.HasPrefix(list.stdout.String(), "current "); trusted != (test.trusted != "" && name != "swapped") {
				t.Errorf("the list: %s", list.stdout.String())
			}
			if err := os.WriteFile(path, []byte(test.trusted), 0o600); err != nil {
				t.Fatal(err)
			}
			list = in("trust", "--list").run()
			if trusted := strings.HasPrefix(list.stdout.String(), "current "); trusted != (test.trusted != "") {
				t.Errorf("with the content that was shown: %s", list.stdout.String())
			}
		})
	}
}

// A person must have seen what it is about: a yes on a pipe is none, nor is one
// without the text on the terminal.
func TestTrustAsksOnlyOnATerminal(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "datarim", "stagehook.yaml")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("plugins: {x: {command: [\"a\\e[2J\\u200b\"]}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	piped := commandIn(t, root, "trust", path)
	piped.Env = append(piped.Env, "XDG_STATE_HOME="+root)
	piped.Stdin = strings.NewReader("n\n")
	if piped.run(); piped.code != 0 || strings.Contains(piped.stdout.String(), question) {
		t.Errorf("exit code %d, %q", piped.code, piped.stdout.String())
	}
	_, program := openTerminal(t)
	unseen := commandIn(t, root, "trust", path)
	unseen.Env = append(unseen.Env, "XDG_STATE_HOME="+root)
	unseen.Stdin = program
	if unseen.run(); unseen.code != 0 || strings.Contains(unseen.stdout.String(), question) {
		t.Errorf("exit code %d, %q", unseen.code, unseen.stdout.String())
	}
	// And what is there to be seen hides nothing.
	agreed := commandIn(t, root, "trust", "--yes", path)
	agreed.Env = append(agreed.Env, "XDG_STATE_HOME="+root)
	screen, code := onScreen(t, agreed)
	if code != 0 || !strings.Contains(screen, `run: "a\u001b[2J`) {
		t.Errorf("exit code %d, %q", code, screen)
	}
	wantVisible(t, screen)
}
