package language

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree writes the three files that may name languages and returns the sources
// that read them.
func tree(t *testing.T, files map[string]string, env map[string]string) Sources {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return Sources{Root: root, Getenv: func(name string) string {
		if name == "XDG_CONFIG_HOME" {
			return filepath.Join(root, "xdg")
		}
		return env[name]
	}}
}

const (
	localFile   = "datarim/config.local.yaml"
	projectFile = "datarim/config.yaml"
	userPath    = "xdg/datarim/config.yaml"
)

func both(tag string) string { return "language: {replies: " + tag + ", artifacts: " + tag + "}\n" }

func TestResolveOrder(t *testing.T) {
	all := map[string]string{localFile: both("de"), userPath: both("fr"), projectFile: both("ja")}
	env := map[string]string{"DATARIM_REPLY_LANG": "ru", "DATARIM_ARTIFACT_LANG": "uk"}
	without := func(name string) map[string]string {
		rest := map[string]string{}
		for file, text := range all {
			if file != name && file != localFile {
				rest[file] = text
			}
		}
		return rest
	}
	tests := map[string]struct {
		files map[string]string
		env   map[string]string
		flags Languages
		want  Languages
	}{
		"nothing":              {want: Languages{"en", "en"}},
		"flags":                {files: all, env: env, flags: Languages{"pt-BR", "sr-Latn"}, want: Languages{"pt-BR", "sr-Latn"}},
		"environment":          {files: all, env: env, want: Languages{"ru", "uk"}},
		"local":                {files: all, want: Languages{"de", "de"}},
		"user before project":  {files: without(""), want: Languages{"fr", "ja"}},
		"project":              {files: without(userPath), want: Languages{"ja", "ja"}},
		"user":                 {files: without(projectFile), want: Languages{"fr", "fr"}},
		"a tag that reads no":  {files: map[string]string{projectFile: both("no")}, want: Languages{"no", "no"}},
		"null and other keys":  {files: map[string]string{projectFile: "x: [1]\nlanguage:\n  replies: ~\n"}, want: Languages{"en", "en"}},
		"language is a scalar": {files: map[string]string{projectFile: "language: de\n"}, want: Languages{"en", "en"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			sources := tree(t, test.files, test.env)
			sources.Replies, sources.Artifacts = test.flags.Replies, test.flags.Artifacts
			got, warnings := Resolve(sources)
			if got != test.want || len(warnings) > 0 {
				t.Errorf("got %v, warnings %q; want %v", got, warnings, test.want)
			}
		})
	}
}

func TestResolveWarnsAndGoesOn(t *testing.T) {
	sources := tree(t, map[string]string{
		localFile:   "language: {replies: de",
		userPath:    both("not_a tag"),
		projectFile: both("ja"),
	}, map[string]string{"DATARIM_REPLY_LANG": "!!"})
	got, warnings := Resolve(sources)
	if want := (Languages{"ja", "ja"}); got != want {
		t.Errorf("got %v; want %v", got, want)
	}
	text := strings.Join(warnings, "\n")
	for _, want := range []string{localFile, "the environment", userPath} {
		if !strings.Contains(text, want) {
			t.Errorf("no warning names %s:\n%s", want, text)
		}
	}
}

func TestWorkspaceFilesAreNotFollowed(t *testing.T) {
	sources := tree(t, map[string]string{"elsewhere.yaml": both("de")}, nil)
	if err := os.Mkdir(filepath.Join(sources.Root, "datarim"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../elsewhere.yaml", filepath.Join(sources.Root, "datarim", "config.yaml")); err != nil {
		t.Fatal(err)
	}
	got, warnings := Resolve(sources)
	if want := (Languages{"en", "en"}); got != want || len(warnings) != 1 {
		t.Errorf("got %v, warnings %q; want %v", got, warnings, want)
	}
}
