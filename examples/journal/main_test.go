package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
)

const (
	processes = 32
	each      = 25 // lines of one process
)

// TestMain makes the test's binary also one of the crowd's processes.
func TestMain(m *testing.M) {
	if root := os.Getenv("JOURNAL_TEST_ROOT"); root != "" {
		for range each {
			if err := observe(root, strings.Repeat("x\n", os.Getpid()%3000)); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// observe tells a plugin with its default settings of an event.
func observe(root, detail string) error {
	plugin := spec()
	if err := plugin.Configure(nil); err != nil {
		return err
	}
	return plugin.Observer.Observe(context.Background(), &sdk.ObserveRequest{
		Task: sdk.Task{Root: root, ID: "TUNE-0254"}, Event: "resume", Result: "failed", Detail: detail,
		Started: time.Date(2026, 5, 21, 13, 45, 0, 500_000_000, time.UTC), Elapsed: 1234 * time.Microsecond,
		Steps: []hook.StepReport{{Kind: "validator", Plugin: "v"}, {Kind: "renderer", Plugin: "r", Failed: "no ink"}},
	})
}

// workspace makes one, and returns its root and the path of its journal.
func workspace(t *testing.T) (root, journal string) {
	root = t.TempDir()
	if err := os.Mkdir(filepath.Join(root, folder), 0o700); err != nil {
		t.Fatal(err)
	}
	return root, filepath.Join(root, folder, "journal.jsonl")
}

func TestLinesAreAppended(t *testing.T) {
	root, path := workspace(t)
	for range 2 {
		if err := observe(root, "two\nlines"); err != nil {
			t.Fatal(err)
		}
	}
	want := `{"time":"2026-05-21T13:45:00.5Z","task_id":"TUNE-0254","event":"resume","result":"failed",` +
		`"detail":"two\nlines","elapsed_ms":1.234,"failed":["r"]}` + "\n"
	if got, err := os.ReadFile(path); err != nil || string(got) != want+want {
		t.Errorf("the journal is %s, %v; want twice %s", got, err, want)
	}
}

func TestCrowdOfProcesses(t *testing.T) {
	root, path := workspace(t)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var crowd [processes]*exec.Cmd
	for i := range crowd {
		crowd[i] = exec.CommandContext(t.Context(), program)
		crowd[i].Env = append(os.Environ(), "JOURNAL_TEST_ROOT="+root)
		crowd[i].Stderr = os.Stderr
		if err := crowd[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	for _, cmd := range crowd {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	if len(lines) != processes*each+1 {
		t.Errorf("there are %d lines; want %d", len(lines)-1, processes*each)
	}
	for i, text := range lines[:len(lines)-1] {
		if err := json.Unmarshal(text, &line{}); err != nil {
			t.Errorf("line %d: %v: %.80q", i+1, err, text)
		}
	}
}

func TestSettings(t *testing.T) {
	for name, want := range map[string]string{
		"events.jsonl": "",
		"":             "settings: file: must be a name, without a path, that ends in .jsonl",
		"tasks.md":     "settings: file: must be a name, without a path, that ends in .jsonl",
		"../x.jsonl":   "settings: file: must be a name, without a path, that ends in .jsonl",
		`..\x.jsonl`:   "settings: file: must be a name, without a path, that ends in .jsonl",
	} {
		settings, err := json.Marshal(map[string]string{"file": name})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := spec().Configure(settings); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q; want %q", name, got, want)
		}
	}
}
