//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Whoever does what docs/plugins.md says in an empty folder, word for word, gets
// what it shows.
func TestPluginsPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/plugins.md")
	if err != nil {
		t.Fatal(err)
	}
	_, tutorial, begins := strings.Cut(string(page), "\n## From an empty folder\n")
	tutorial, _, ends := strings.Cut(tutorial, "\n## Examples\n")
	if !begins || !ends {
		t.Fatal("the tutorial is not where it was")
	}
	steps, files := tutorialSteps(tutorial)
	if len(steps) != 8 || len(files) != 3 {
		t.Errorf("the tutorial has %d steps and shows %d files", len(steps), len(files))
	}
	folder := t.TempDir()
	for i, got := range runInOneShell(t, folder, steps) {
		if want := steps[i].output; want != "" && mask(got, folder) != mask(want, "/tmp/new") {
			t.Errorf("%s\nprints\n%s\nwant\n%s", steps[i].commands, got, want)
		}
	}
	written := ""
	for _, name := range []string{"main.go", "stagehook.yaml", "main_test.go"} {
		text, err := os.ReadFile(filepath.Join(folder, "too-old", name))
		if err != nil {
			t.Fatal(err)
		}
		written += string(text)
	}
	for _, shown := range files {
		if !strings.Contains(written, shown) {
			t.Errorf("no file holds what the page shows:\n%s", shown)
		}
	}
}

// tutorialStep is what is typed and, unless it is not shown, what is printed.
type tutorialStep struct{ commands, output string }

// tutorialSteps finds what a reader types, with what the page shows right behind it,
// and the parts of files.
func tutorialSteps(text string) (steps []tutorialStep, files []string) {
	end := 0 // of the commands before
	for _, at := range regexp.MustCompile("(?s)```([a-z]+)\n(.*?)```\n").FindAllStringSubmatchIndex(text, -1) {
		language, block := text[at[2]:at[3]], text[at[4]:at[5]]
		switch between := strings.TrimSpace(text[end:at[0]]); language {
		case "sh":
			steps, end = append(steps, tutorialStep{commands: block}), at[1]
		case "console":
			commands, output, _ := strings.Cut(strings.TrimPrefix(block, "$ "), "\n")
			steps = append(steps, tutorialStep{commands + "\n", output})
		case "text", "json":
			if end > 0 && between == "" {
				steps[len(steps)-1].output = block
			}
		default:
			files = append(files, block)
		}
	}
	return steps, files
}

// runInOneShell runs the steps one after the other in an empty folder, and returns
// what each prints. The last command of each must succeed.
func runInOneShell(t *testing.T, folder string, steps []tutorialStep) []string {
	t.Helper()
	home := t.TempDir()
	if err := os.Symlink(absolute(t, "..", ".."), filepath.Join(home, "stagehook")); err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	for _, step := range steps {
		fmt.Fprintf(&script, "%s[ $? = 0 ] || exit\nprintf '\\036'\n", step.commands)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", script.String())
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME=", "XDG_STATE_HOME=",
		// Go keeps what it has in the home as well. The hashes of modules are in this
		// module's go.sum.
		"GOFLAGS=-buildvcs=false", "GOSUMDB=off")
	for _, variable := range []string{"GOPATH", "GOMODCACHE", "GOCACHE"} {
		value, err := exec.Command("go", "env", variable).Output()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Env = append(cmd.Env, variable+"="+strings.TrimSpace(string(value)))
	}
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	err := cmd.Run()
	printed := strings.Split(output.String(), "\036")
	if len(printed) != len(steps)+1 {
		t.Fatalf("ended in step %d of %d: %v\n%s", len(printed), len(steps), err, printed[len(printed)-1])
	}
	return printed[:len(steps)]
}

// mask replaces what is another one each time.
func mask(text, folder string) string {
	text = strings.ReplaceAll(text, folder, "/tmp/new")
	// The page shows a table as a terminal does.
	text = regexp.MustCompile(`\n  (/\S+\.yaml:[0-9]+)\n`).ReplaceAllString(text, "  $1\n")
	text = regexp.MustCompile(`(?m)^[-0-9]+T[:.0-9]+(Z|[+-][:0-9]+)`).ReplaceAllString(text, "TIME")
	return regexp.MustCompile(`\b[0-9]+ ms +|\b[0-9]+ hours|\t[0-9.]+s`).ReplaceAllString(text, "DURATION ")
}
