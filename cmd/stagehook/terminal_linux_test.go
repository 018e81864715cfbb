package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/stagehook/stagehook/sdk/snapshot"
)

// openTerminal opens a pseudo-terminal: what a program writes to it can be read
// from screen, unchanged.
func openTerminal(t testing.TB) (screen, program *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = screen.Close() })
	fd := int(screen.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = program.Close() })
	mode, err := unix.IoctlGetTermios(int(program.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	mode.Oflag &^= unix.OPOST // no carriage returns of its own
	if err := unix.IoctlSetTermios(int(program.Fd()), unix.TCSETS, mode); err != nil {
		t.Fatal(err)
	}
	return screen, program
}

// onScreen runs a command of stagehook on a terminal, and returns what a person
// sees and the exit code.
func onScreen(t testing.TB, c *call) (string, int) {
	t.Helper()
	screen, program := openTerminal(t)
	c.Stdin, c.Stdout, c.Stderr = program, program, program
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_ = program.Close()
	// The end of a terminal is an error: its last program has gone.
	seen, _ := io.ReadAll(screen)
	c.ends()
	return string(seen), c.code
}

// commandIn prepares any command in a workspace.
func commandIn(t testing.TB, root string, args ...string) *call {
	t.Helper()
	c := callIn(t, root)
	c.Args = append([]string{"stagehook"}, append(args, "--root", root)...)
	return c
}

// wantVisible wants nothing on the screen that a person would miss.
func wantVisible(t testing.TB, screen string) {
	t.Helper()
	if again := onTerminal(t, screen); again != screen {
		t.Errorf("the screen holds what a person would miss: %q", screen)
	}
}

// misleading is what a snapshot's body can hold.
func misleading() string {
	var body strings.Builder
	for text := range terminalTexts {
		fmt.Fprintf(&body, "- %s\n", strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\x00", "?"))
	}
	return body.String()
}

// A resume shows a stranger's text on a terminal, and hands it over to a program
// byte for byte.
func TestTerminalShowsAPrompt(t *testing.T) {
	body := misleading()
	root := t.TempDir()
	stored, code := onScreen(t, callIn(t, root, "--body-file", file(t, "body", body)))
	if code != 0 || !strings.HasPrefix(stored, "stored datarim/snapshots/TUNE-0254.snapshot.md (") {
		t.Fatalf("stage-exit: %d, %q", code, stored)
	}
	piped := commandIn(t, root, "resume", "--task", "TUNE-0254").run()
	if piped.code != 0 || !strings.HasSuffix(piped.stdout.String(), "\ndone before:\n"+body) || piped.stderr.Len() > 0 {
		t.Fatalf("to a pipe: %d, %q, %s", piped.code, piped.stdout.String(), piped.stderr.String())
	}
	screen, code := onScreen(t, commandIn(t, root, "resume", "--task", "TUNE-0254"))
	if want := onTerminal(t, piped.stdout.String()); code != 0 || screen != want {
		t.Errorf("on a terminal: %d, %q; want %q", code, screen, want)
	}
	for _, visible := range []string{`\x1b[2J`, `\u009b31m`, `\u202e`, `\u2028`, `\u200b`, `\U000e0001`, `\x0d`} {
		if !strings.Contains(screen, visible) {
			t.Errorf("%s is not on the screen", visible)
		}
	}

	asJSON := commandIn(t, root, "resume", "--task", "TUNE-0254", "--format", "json").run()
	screen, _ = onScreen(t, commandIn(t, root, "resume", "--task", "TUNE-0254", "--format", "json"))
	var result struct{ Prompt string }
	if err := json.Unmarshal([]byte(screen), &result); err != nil || result.Prompt != piped.stdout.String() || screen != asJSON.stdout.String() {
		t.Errorf("JSON on a terminal: %v, %s", err, screen)
	}
	wantVisible(t, screen)

	screen, code = onScreen(t, commandIn(t, root, "validate", "--task", "TUNE-0254"))
	if code != 0 || screen != "datarim/snapshots/TUNE-0254.snapshot.md is valid\n" {
		t.Errorf("validate: %d, %q", code, screen)
	}
}

// A message that quotes a malformed snapshot.
func TestTerminalShowsAVerdict(t *testing.T) {
	root := t.TempDir()
	callIn(t, root, "--body-file", file(t, "body", "Done.\n")).run()
	path := filepath.Join(root, filepath.FromSlash(snapshot.Path("TUNE-0254")))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, line := range map[string]string{
		"hidden characters in a key":   "ad\u200bmin\U000e0041: x",
		"hidden characters in a value": "stage: pl\u200ban\U000e0041",
		"a key in quotes":              `"a\e[2J\u202E": x`,
		"control characters":           "stage: pl\x1b[2Jan",
		"C1":                           "stage: pl\u009b2Jan",
		"an override":                  "command: /dr-\u202eplan",
		"a line separator":             "command: /dr-\u2028plan",
		"no UTF-8":                     "command: /dr-\xffplan",
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, bytes.Replace(whole, []byte("stage: plan"), []byte(line), 1), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{"validate", "--json"}, {"validate"}, {"validate", "--level", "schema"}, {"route"}} {
				args = append(args, "--task", "TUNE-0254")
				piped := commandIn(t, root, args...).run()
				screen, code := onScreen(t, commandIn(t, root, args...))
				if code != piped.code || code == 0 || strings.Count(screen, "\n") != strings.Count(piped.stdout.String()+piped.stderr.String(), "\n") {
					t.Errorf("%q: %d, %q; to a pipe: %d, %q", args, code, screen, piped.code, piped.stderr.String())
				}
				wantVisible(t, screen)
				wantVisible(t, piped.stdout.String()) // JSON
			}
		})
	}
}

// A message that repeats an argument.
func TestTerminalShowsAnArgument(t *testing.T) {
	screen, code := onScreen(t, commandIn(t, "/absent\n\x1b[2J\u202e\u200b", "validate", "--task", "TUNE-0254"))
	if want := `stagehook: root /absent \x1b[2J\u202e\u200b does not exist` + "\n"; code != 1 || screen != want {
		t.Errorf("%d, %q; want %q", code, screen, want)
	}
}

// What a plugin prints, and what the log says of it.
func TestTerminalShowsAPlugin(t *testing.T) {
	root := t.TempDir()
	callIn(t, root, "--body-file", file(t, "body", "Done.\n")).run()
	config := file(t, "config.yaml", `
plugins: {snapshot-validator: {command: [sh, -c, 'printf "\033[2J\342\200\256\342\200\213|\302\233\377\n" | tee /dev/stderr', stagehook-test]}}
`)
	screen, code := onScreen(t, commandIn(t, root, "validate", "--task", "TUNE-0254", "--config", config, "--log-level", "trace"))
	if code != 5 || !strings.Contains(screen, "stagehook: plugin snapshot-validator: ") || !strings.Contains(screen, `\u200b`) {
		t.Errorf("%d, %q", code, screen)
	}
	wantVisible(t, screen)
}

// Only a terminal is one.
func TestTerminalIsRecognized(t *testing.T) {
	screen, program := openTerminal(t)
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	regular, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	for _, open := range []*os.File{reader, writer, null, regular} {
		defer open.Close()
		if isTerminal(open) || isShown(shown(open)) {
			t.Errorf("%s counts as a terminal", open.Name())
		}
	}
	if !isTerminal(program) || !isShown(shown(program)) || !isTerminal(screen) {
		t.Error("a terminal does not count as one")
	}
	_ = program.Close()
	if isTerminal(program) {
		t.Error("a closed file counts as a terminal")
	}
}
