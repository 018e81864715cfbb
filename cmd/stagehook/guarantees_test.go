package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every promise in docs/guarantees.md, and every measure in docs/security.md, names
// the tests that hold it.
func TestGuaranteesNameTestsThatExist(t *testing.T) {
	for page, least := range map[string]int{"guarantees.md": 90, "security.md": 100} {
		text, err := os.ReadFile(filepath.Join("../../docs", page))
		if err != nil {
			t.Fatal(err)
		}
		if named := checkTestNames(t, page, string(text)); named < least {
			t.Errorf("%s names only %d tests", page, named)
		}
	}
}

// checkTestNames returns how many tests a page names. A folder stands before its
// tests: "cmd: `TestA`, `TestB/script`; workspace: `TestC`".
func checkTestNames(t *testing.T, page, text string) int {
	t.Helper()
	folders := map[string]string{
		"cmd": ".", "scaffold": "scaffold",
		"runner": "../../runner", "config": "../../runner/config", "process": "../../runner/process",
		"workspace": "../../sdk/workspace", "snapshot": "../../sdk/snapshot", "records": "../../sdk/records",
		"identity": "../../sdk/identity", "program": "../../sdk/program", "yamldoc": "../../sdk/yamldoc",
		"host2plugin": "../../sdk/host2plugin", "fromproto": "../../sdk/internal/fromproto",
		"plugins/archiver": "../../plugins/archiver", "plugins/validator": "../../plugins/validator",
		"plugins/renderer": "../../plugins/renderer", "plugins/route": "../../plugins/route", "plugins/exec": "../../plugins/exec",
	}
	token := regexp.MustCompile("([a-z2/]+): `|`((?:Test|Fuzz)[A-Za-z0-9]+)(?:/([a-z_]+))?`")
	named := 0
	for line := range strings.Lines(text) {
		folder := ""
		for _, match := range token.FindAllStringSubmatch(strings.ReplaceAll(line, ": `", ": ``"), -1) {
			if match[1] != "" {
				folder = match[1]
				continue
			}
			named++
			if path, known := folders[folder]; !known || !declares(t, path, match[2]) {
				t.Errorf("%s: %s: there is no %s", page, folder, match[2])
			}
			if script := match[3]; script != "" {
				if _, err := os.Stat(filepath.Join(folders[folder], "testdata", "script", script+".txtar")); err != nil {
					t.Error(err)
				}
			}
		}
	}
	return named
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
