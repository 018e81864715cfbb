package scaffold

import (
	"embed"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
)

// File is a file of the new folder.
type File struct {
	Name    string
	Content string
}

// Options say which plugin is to be written.
type Options struct {
	// Name of the plugin and of its folder, see [hook.Spec].
	Name string
	Kind hook.Kind // a valid one
	// SDK is the absolute path of a checkout of stagehook to build against. Empty
	// means a published release.
	SDK string
}

//go:embed go.mod.txt README.md.txt */main.go */main_test.go */stagehook.yaml
var templates embed.FS

var name = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

const maxName = 64 // that of a plugin, see hook.Spec

// reserved are the names that mean something else: to YAML, and as the name of a
// device to Windows, so that Go takes them for no module.
var reserved = regexp.MustCompile(`^(true|false|null|con|prn|aux|nul|(com|lpt)[0-9])$`)

// New returns the files of a plugin. A name that no plugin may have is an
// [*identity.ValueError].
func New(o Options) ([]File, error) {
	if !name.MatchString(o.Name) || len(o.Name) > maxName {
		return nil, &identity.ValueError{Field: "NAME", Detail: fmt.Sprintf("%.80q is not lower-case letters, digits and hyphens, at most %d", o.Name, maxName)}
	}
	if reserved.MatchString(o.Name) {
		return nil, &identity.ValueError{Field: "NAME", Detail: fmt.Sprintf("%q is a reserved word", o.Name)}
	}
	replace := "// No release is published yet: build against a checkout.\n// replace github.com/stagehook/stagehook => /path/to/stagehook"
	if o.SDK != "" {
		// A path in a module file is quoted like a string of Go.
		replace = fmt.Sprintf("replace github.com/stagehook/stagehook => %q", o.SDK)
	}
	fill := strings.NewReplacer(
		"my-plugin", o.Name,
		"{{VERSION}}", "v"+sdk.Version,
		"{{REPLACE}}", replace,
		"{{KIND}}", article(o.Kind)+" "+string(o.Kind),
		"{{COMMAND}}", command(o.Kind),
	)
	var files []File
	for _, source := range []string{"go.mod.txt", "main.go", "main_test.go", "stagehook.yaml", "README.md.txt"} {
		target, shared := strings.CutSuffix(source, ".txt")
		if !shared {
			source = path.Join(string(o.Kind), source)
		}
		text, err := templates.ReadFile(source)
		if err != nil {
			return nil, err
		}
		files = append(files, File{Name: target, Content: fill.Replace(string(text))})
	}
	return files, nil
}

func article(kind hook.Kind) string {
	if slices.Contains([]hook.Kind{hook.KindArchiver, hook.KindObserver}, kind) {
		return "an"
	}
	return "a"
}

// command is the command of stagehook that fires an event of the kind.
func command(kind hook.Kind) string {
	switch kind {
	case hook.KindWriter, hook.KindObserver:
		return "stage-exit"
	case hook.KindArchiver:
		return "archive"
	}
	return "resume"
}
