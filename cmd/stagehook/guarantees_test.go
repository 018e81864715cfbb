package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every promise in docs/guarantees.md names the tests that hold it.
func TestGuaranteesNameTestsThatExist(t *testing.T) {
	page, err := os.ReadFile("../../docs/guarantees.md")
	if err != nil {
		t.Fatal(err)
	}
	folders := map[string]string{
		"cmd": ".", "workspace": "../../sdk/workspace", "snapshot": "../../sdk/snapshot",
		"records": "../../sdk/records", "runner": "../../runner",
		"program": "../../sdk/program", "process": "../../runner/process", "config": "../../runner/config",
		"plugins/archiver": "../../plugins/archiver", "plugins/validator": "../../plugins/validator",
		"plugins/route": "../../plugins/route", "plugins/exec": "../../plugins/exec",
	}
	// A folder stands before its tests: "cmd: `TestA`, `TestB/script`; workspace: `TestC`".
	token := regexp.MustCompile("([a-z/]+): `|`((?:Test|Fuzz)[A-Za-z0-9]+)(?:/([a-z_]+))?`")
	named := 0
	for line := range strings.Lines(string(page)) {
		folder := ""
		for _, match := range token.FindAllStringSubmatch(strings.ReplaceAll(line, ": `", ": ``"), -1) {
			if match[1] != "" {
				folder = match[1]
				continue
			}
			named++
			if !declares(t, folders[folder], match[2]) {
				t.Errorf("%s: there is no %s", folder, match[2])
			}
			if script := match[3]; script != "" {
				if _, err := os.Stat(filepath.Join(folders[folder], "testdata", "script", script+".txtar")); err != nil {
					t.Error(err)
				}
			}
		}
	}
	if named < 90 {
		t.Errorf("the page names only %d tests", named)
	}
}

func declares(t *testing.T, folder, test string) bool {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(folder, "*_test.go"))
	for _, file := range files {
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(code), "\nfunc "+test+"(") {
			return true
		}
	}
	return false
}
