package archiver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func writeRegistry(t *testing.T, dir, text string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, registryFile), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func registry(rows ...string) string {
	return "# Project\n\n## Task Prefix Registry\n\n| Prefix | Project | Archive Subdir |\n|---|---|---|\n" + strings.Join(rows, "\n") + "\n"
}

func TestAreaOf(t *testing.T) {
	tests := map[string]struct {
		task     string
		setting  map[string]string
		registry string // of the root; empty for none
		parent   string // of the folder above
		want     string
		warning  string // a part of the only warning
		err      string // a part of the error
	}{
		"reserved":                   {task: "INFRA-0042", want: "infrastructure"},
		"reserved is a whole word":   {task: "INFRAX-0042", want: "general"},
		"nothing":                    {task: "SHOP-0001", want: "general"},
		"registry":                   {task: "SHOP-0001", registry: registry("| SHOP | store | storefront |"), want: "storefront"},
		"registry in emphasis":       {task: "SHOP-0001", registry: registry("| **SHOP** | store | `storefront` | x |"), want: "storefront"},
		"setting before registry":    {task: "SHOP-0001", setting: map[string]string{"SHOP": "sales"}, registry: registry("| SHOP | s | storefront |"), want: "sales"},
		"registry above the root":    {task: "SHOP-0001", registry: "# no registry here\n", parent: registry("| SHOP | s | upstairs |"), want: "upstairs"},
		"the nearest registry only":  {task: "SHOP-0001", registry: registry("| PAY | p | payments |"), parent: registry("| SHOP | s | upstairs |"), want: "general"},
		"heading of level one":       {task: "SHOP-0001", registry: strings.Replace(registry("| SHOP | s | x |"), "## Task", "# Task", 1), want: "general"},
		"below another heading":      {task: "SHOP-0001", registry: registry() + "\n## Other\n\n| SHOP | s | x |\n", want: "general"},
		"inside a fence":             {task: "SHOP-0001", registry: "```\n" + registry("| SHOP | s | x |") + "```\n", want: "general"},
		"repeated row":               {task: "SHOP-0001", registry: registry("| SHOP | a | x |", "| SHOP | b | x |"), want: "x"},
		"disagreeing rows":           {task: "SHOP-0001", registry: registry("| SHOP | a | x |", "| SHOP | b | y |"), err: "two rows for the prefix SHOP disagree: x and y"},
		"reserved, disagreeing rows": {task: "TUNE-0254", registry: registry("| TUNE | a | x |", "| TUNE | b | y |"), want: "framework"},
		"setting, disagreeing rows":  {task: "SHOP-0001", setting: map[string]string{"SHOP": "sales"}, registry: registry("| SHOP | a | x |", "| SHOP | b | y |"), want: "sales"},
		"others disagree":            {task: "SHOP-0001", registry: registry("| PAY | a | x |", "| PAY | b | y |", "| SHOP | s | z |"), want: "z"},
		"path in the area":           {task: "SHOP-0001", registry: registry("| SHOP | a | ../x |"), err: `area "../x" must be`},
		"reserved is not redefined":  {task: "TUNE-0254", registry: registry("| TUNE | a | music |"), want: "framework", warning: "the area music for the reserved prefix TUNE; it stays framework"},
		"reserved is repeated":       {task: "TUNE-0254", registry: registry("| TUNE | a | framework |"), want: "framework"},
		"reserved in the setting":    {task: "QA-0001", setting: map[string]string{"QA": "tests"}, want: "qa", warning: "the setting areas names the area tests"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			root := filepath.Join(parent, "project")
			if err := os.Mkdir(root, 0o755); err != nil {
				t.Fatal(err)
			}
			if test.registry != "" {
				writeRegistry(t, root, test.registry)
			}
			if test.parent != "" {
				writeRegistry(t, parent, test.parent)
			}
			area, warnings, err := areaOf(test.task, test.setting, root)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Fatalf("got error %v; want one with %q", err, test.err)
				}
				return
			}
			if err != nil || area != test.want {
				t.Fatalf("got %q, %v; want %q", area, err, test.want)
			}
			if text := strings.Join(warnings, "\n"); (text == "") != (test.warning == "") || !strings.Contains(text, test.warning) || len(warnings) > 1 {
				t.Errorf("got warnings %q; want one with %q", warnings, test.warning)
			}
		})
	}
}

func TestRegistryIsNotReadThroughALinkOutOfTheRoot(t *testing.T) {
	parent := t.TempDir()
	root := filepath.Join(parent, "project")
	writeRegistry(t, filepath.Join(parent, "elsewhere"), registry("| SHOP | s | outside |"))
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../elsewhere/"+registryFile, filepath.Join(root, registryFile)); err != nil {
		t.Fatal(err)
	}
	if area, _, err := areaOf("SHOP-0001", nil, root); err == nil {
		t.Errorf("got %q; want an error", area)
	}
}

func TestSettingsAreChecked(t *testing.T) {
	for _, settings := range []string{
		`{"areas": {"SHOP": "../x"}}`,
		`{"areas": {"SHOP": ""}}`,
		`{"on_conflict": "overwrite"}`,
		`{"onConflict": "refuse"}`,
	} {
		if err := Spec().Configure([]byte(settings)); err == nil {
			t.Errorf("%s was accepted", settings)
		}
	}
	if err := Spec().Configure([]byte(`{"areas": {"SHOP": "storefront"}, "on_conflict": "keep-both"}`)); err != nil {
		t.Error(err)
	}
}
