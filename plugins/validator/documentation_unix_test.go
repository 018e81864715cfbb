//go:build unix

package validator

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stagehook/stagehook/sdk/snapshot"
)

// documented returns the rows of the table of codes, by code.
func documented(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/validation.md")
	must(t, err)
	_, section, _ := strings.Cut(string(text), "\n## The codes\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := map[string][]string{}
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.Trim(line, "|\n"), "|")
		for i, cell := range cells {
			cells[i] = strings.TrimSpace(cell)
		}
		code, isCode := strings.CutPrefix(cells[0], "`")
		if !isCode {
			continue
		}
		code = strings.TrimSuffix(code, "`")
		if rows[code] != nil || len(cells) != 4 {
			t.Errorf("row %q", line)
		}
		rows[code] = cells
	}
	return rows
}

// declared returns the codes that package snapshot names, from their source, so
// that none is forgotten.
func declared(t *testing.T) []string {
	t.Helper()
	source, err := parser.ParseFile(token.NewFileSet(), "../../sdk/snapshot/code.go", nil, 0)
	must(t, err)
	var codes []string
	ast.Inspect(source, func(node ast.Node) bool {
		if literal, ok := node.(*ast.BasicLit); ok {
			code, err := strconv.Unquote(literal.Value)
			must(t, err)
			codes = append(codes, code)
		}
		return true
	})
	return codes
}

// Every code is declared, produced by the plugin and documented with what it
// means and a cure, and the table says at which level it is found.
func TestCodesAreDocumented(t *testing.T) {
	rows := documented(t)
	produced := map[string]bool{} // whether at schema level too
	for _, p := range slices.Concat(files, contents, sessionProblems) {
		produced[p.code] = produced[p.code] || p.schema == both
	}
	want := slices.Sorted(slices.Values(declared(t)))
	if got := slices.Sorted(maps.Keys(produced)); !slices.Equal(got, want) {
		t.Errorf("produced are\n%s\ndeclared are\n%s", got, want)
	}
	if got := slices.Sorted(maps.Keys(rows)); !slices.Equal(got, want) {
		t.Errorf("documented are\n%s\ndeclared are\n%s", got, want)
	}
	for code, cells := range rows {
		level := "strict"
		switch {
		case code == snapshot.CodeUnknownKey: // mostly, as the row says
		case produced[code]:
			level = ""
		}
		if cells[1] != level || cells[2] == "" || cells[3] == "" {
			t.Errorf("%s: the row is %q; want the level %q, a meaning and a cure", code, cells, level)
		}
	}
}
