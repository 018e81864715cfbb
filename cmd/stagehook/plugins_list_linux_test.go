package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// On a terminal an origin that would make a row longer than the terminal is wide
// stands below it.
func TestPluginsListOnATerminal(t *testing.T) {
	root := t.TempDir()
	config := filepath.Join(root, "datarim", "stagehook.yaml")
	if err := os.Mkdir(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte("plugins: {archiver: {builtin: archiver}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	screen, code := onScreen(t, commandIn(t, root, "plugins", "list"))
	if want := regexp.MustCompile(`(?m)^archiver +archiver +\S+ +\d+ ms +- +not needed\n  datarim/stagehook.yaml:1\nproduct-`); code != 0 || !want.MatchString(screen) {
		t.Errorf("exit code %d\n%s", code, screen)
	}
	for line := range strings.Lines(screen) {
		if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > columns {
			t.Errorf("%q is longer than %d columns", line, columns)
		}
	}
}
