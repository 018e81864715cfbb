package archiver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stagehook/stagehook/sdk/snapshot"
)

// registry is a CLAUDE.md with a registry of these rows.
func registry(rows ...string) string {
	return "# Project\n\n## Task Prefix Registry\n\n| Prefix | Project | Archive Subdir |\n|---|---|---|\n" + strings.Join(rows, "\n") + "\n"
}

// areaTest says where the snapshot of a task goes.
type areaTest struct {
	task     string // SHOP-0001 when empty
	settings string
	registry string // of the root; empty for none
	above    string // of the folder above
	want     string
	warnings []string // a part of each
	err      string   // a part of the failure
}

func (test areaTest) run(t *testing.T) {
	above := t.TempDir()
	root := filepath.Join(above, "project")
	if test.task == "" {
		test.task = "SHOP-0001"
	}
	plant(t, root, snapshot.Path(test.task), "body")
	for dir, text := range map[string]string{root: test.registry, above: test.above} {
		if text != "" {
			plant(t, dir, registryFile, text)
		}
	}
	res, err := archive(t.Context(), t, root, test.task, test.settings, "archive")
	if test.err != "" {
		wantFailure(t, err, test.err)
		if _, err := os.Lstat(filepath.Join(root, snapshot.Path(test.task))); err != nil {
			t.Error(err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if want := "documentation/archive/" + test.want + "/snapshots/" + test.task + "-final-stage.md"; res.Path != want {
		t.Errorf("moved to %s; want %s", res.Path, want)
	}
	if len(res.Warnings) != len(test.warnings) {
		t.Fatalf("got warnings %q; want %q", res.Warnings, test.warnings)
	}
	for i, warning := range test.warnings {
		if !strings.Contains(res.Warnings[i], warning) || strings.Contains(res.Warnings[i], "\n") || len(res.Warnings[i]) > 4096 {
			t.Errorf("warning %q is not one short line with %q", res.Warnings[i], warning)
		}
	}
}

func TestArea(t *testing.T) {
	const disagree = `two rows for the prefix SHOP disagree: "x" and "y"`
	tests := map[string]areaTest{
		"reserved":                 {task: "INFRA-0042", want: "infrastructure"},
		"reserved is a whole word": {task: "INFRAX-0042", want: "general"},
		"reserved ends at a dash":  {task: "DEV-OPS-0042", want: "development"},
		"reserved in another case": {task: "Infra-0042", want: "general"},
		"nothing":                  {want: "general"},
		"an ID of another pattern": {task: "SHOP-0001-FU-1", registry: registry("| SHOP | s | storefront |"), want: "storefront"},
		"an ID without a dash":     {task: "SHOP_0001", registry: registry("| SHOP_0001 | s | storefront |"), want: "storefront"},

		"setting":                        {settings: `{"areas": {"SHOP": "sales"}}`, want: "sales"},
		"setting for another":            {settings: `{"areas": {"PAY": "sales"}}`, want: "general"},
		"setting before registry":        {settings: `{"areas": {"SHOP": "sales"}}`, registry: registry("| SHOP | s | storefront |"), want: "sales"},
		"setting before disagreement":    {settings: `{"areas": {"SHOP": "sales"}}`, registry: registry("| SHOP | a | x |", "| SHOP | b | y |"), want: "sales"},
		"setting with a path":            {settings: `{"areas": {"SHOP": "../x"}}`, err: `the setting areas: prefix SHOP: area "../x" must be`},
		"setting with nothing":           {settings: `{"areas": {"SHOP": ""}}`, err: `area "" must be`},
		"setting with a path, elsewhere": {settings: `{"areas": {"PAY": "../x"}}`, want: "general"},

		"registry":                   {registry: registry("| SHOP | store | storefront |"), want: "storefront"},
		"registry above the root":    {registry: "# no registry here\n", above: registry("| SHOP | s | upstairs |"), want: "upstairs"},
		"no file, registry above":    {above: registry("| SHOP | s | upstairs |"), want: "upstairs"},
		"the nearest registry":       {registry: registry("| SHOP | s | here |"), above: registry("| SHOP | s | upstairs |"), want: "here"},
		"no row, registry above":     {registry: registry("| PAY | p | payments |"), above: registry("| SHOP | s | upstairs |"), want: "upstairs"},
		"no row anywhere":            {registry: registry("| PAY | p | payments |"), above: registry("| WEB | w | x |"), want: "general"},
		"the nearest does not argue": {registry: registry("| SHOP | s | here |"), above: registry("| SHOP | a | x |", "| SHOP | b | y |"), want: "here"},
		"repeated row":               {registry: registry("| SHOP | a | x |", "| SHOP | b | x |"), want: "x"},
		"disagreeing rows":           {registry: registry("| SHOP | a | x |", "| SHOP | b | y |"), err: disagree},
		"disagreeing rows, repeated": {registry: registry("| SHOP | a | x |", "| SHOP | b | x |", "| SHOP | c | y |"), err: disagree},
		"disagreeing rows above":     {above: registry("| SHOP | a | x |", "| SHOP | b | y |"), err: disagree},
		"others disagree":            {registry: registry("| PAY | a | x |", "| PAY | b | y |", "| SHOP | s | z |"), want: "z"},

		"a path":         {registry: registry("| SHOP | a | ../x |"), err: `area "../x" must be`},
		"absolute":       {registry: registry("| SHOP | a | /etc |"), err: `area "/etc" must be`},
		"a dot":          {registry: registry("| SHOP | a | . |"), err: `area "." must be`},
		"upper case":     {registry: registry("| SHOP | a | Store |"), err: `area "Store" must be`},
		"a digit first":  {registry: registry("| SHOP | a | 3d |"), err: `area "3d" must be`},
		"not ASCII":      {registry: registry("| SHOP | a | лавка |"), err: `area "лавка" must be`},
		"two words":      {registry: registry("| SHOP | a | store front |"), err: `area "store front" must be`},
		"a pipe":         {registry: registry(`| SHOP | a | x\|y |`), err: `area "x|y" must be`},
		"no area":        {registry: registry("| SHOP | a | |"), err: `area "" must be`},
		"all signs":      {registry: registry("| SHOP | a | a-0-z- |"), want: "a-0-z-"},
		"the longest":    {registry: registry("| SHOP | a | " + strings.Repeat("a", 255) + " |"), want: strings.Repeat("a", 255)},
		"too long":       {registry: registry("| SHOP | a | " + strings.Repeat("a", 256) + " |"), err: `area "` + strings.Repeat("a", 40) + `" must be`},
		"hostile":        {registry: registry("| SHOP | a | \x1b[2J\u202e\x00 |"), err: `area "\x1b[2J\u202e\x00" must be`},
		"not ASCII, cut": {registry: registry("| SHOP | a | " + strings.Repeat("a", 39) + "яя |"), err: `area "` + strings.Repeat("a", 39) + `я" must be`},

		"reserved is not redefined": {task: task, registry: registry("| TUNE | a | music |"), want: "framework", warnings: []string{`CLAUDE.md names the area "music" for the reserved prefix TUNE; it stays framework`}},
		"reserved, above the root":  {task: task, above: registry("| TUNE | a | music |"), want: "framework", warnings: []string{`area "music"`}},
		"reserved is repeated":      {task: task, registry: registry("| TUNE | a | framework |"), want: "framework"},
		"reserved, both":            {task: task, registry: registry("| TUNE | a | framework |", "| TUNE | a | music |"), want: "framework", warnings: []string{`area "music"`}},
		"reserved, disagreeing":     {task: task, registry: registry("| TUNE | a | x |", "| TUNE | b | y |"), want: "framework", warnings: []string{`area "x"`}},
		"reserved, a path":          {task: task, registry: registry("| TUNE | a | ../\x1b |"), want: "framework", warnings: []string{`area "../\x1b"`}},
		"reserved, very long":       {task: task, registry: registry("| TUNE | a | " + strings.Repeat("x", 1<<20) + " |"), want: "framework", warnings: []string{`"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"`}},
		"reserved in the setting":   {task: "QA-0001", settings: `{"areas": {"QA": "tests"}}`, want: "qa", warnings: []string{`the setting areas names the area "tests" for the reserved prefix QA; it stays qa`}},
		"reserved, bad setting":     {task: "QA-0001", settings: `{"areas": {"QA": "../x"}}`, want: "qa", warnings: []string{`names the area "../x"`}},
		"reserved, twice":           {task: "QA-0001", settings: `{"areas": {"QA": "a"}}`, registry: registry("| QA | a | b |"), want: "qa", warnings: []string{`area "a" for`, `area "b" for`}},
		"reserved, of another task": {registry: registry("| TUNE | a | music |", "| SHOP | s | storefront |"), want: "storefront"},
	}
	for name, test := range tests {
		t.Run(name, test.run)
	}
}

func TestReservedPrefixes(t *testing.T) {
	for prefix, area := range map[string]string{
		"INFRA": "infrastructure", "WEB": "web", "CONTENT": "content", "RESEARCH": "research", "AGENT": "agents",
		"BENCH": "benchmarks", "DEV": "development", "DEVOPS": "devops", "TUNE": "framework", "ROB": "framework",
		"MAINT": "maintenance", "FIN": "finance", "QA": "qa", "SEC": "security", "QCK": "quick",
	} {
		t.Run(prefix, areaTest{task: prefix + "-0001", want: area}.run)
	}
	if len(reserved) != 15 {
		t.Errorf("%d prefixes are reserved", len(reserved))
	}
}
