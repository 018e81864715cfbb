package language

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/text/language"
)

// fallback is the language when no source names one.
const fallback = "en"

// maxFileBytes bounds a configuration file that is read for its languages.
const maxFileBytes = 1 << 20

// Sources are the places that may name a language.
type Sources struct {
	Replies, Artifacts string // explicit tags, empty when not given
	Root               string // absolute path of the workspace
	Getenv             func(string) string
}

// Languages are BCP 47 tags.
type Languages struct {
	Replies   string
	Artifacts string
}

// source is one place: a name for warnings, and the two tags it may hold.
type source struct {
	name      string
	languages Languages
}

// Resolve returns the first tag that is set and well-formed, for replies and for
// artifacts. A broken file or tag is a warning, and the next source serves.
func Resolve(s Sources) (Languages, []string) {
	var warnings []string
	file := func(path string, languages Languages, err error) source {
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("languages: %s: %v", path, err))
		}
		return source{name: path, languages: languages}
	}
	inWorkspace := func(name string) source {
		languages, err := readWorkspaceFile(s.Root, name)
		return file(filepath.Join(s.Root, filepath.FromSlash(name)), languages, err)
	}
	ofUser := func(path string) source {
		languages, err := readUserFile(path)
		return file(path, languages, err)
	}
	var (
		flags   = source{"the command line", Languages{s.Replies, s.Artifacts}}
		environ = source{"the environment", Languages{s.Getenv("DATARIM_REPLY_LANG"), s.Getenv("DATARIM_ARTIFACT_LANG")}}
		local   = inWorkspace("datarim/config.local.yaml")
		user    = ofUser(userFile(s.Getenv))
		project = inWorkspace("datarim/config.yaml")
	)
	pick := func(what string, tag func(Languages) string, sources ...source) string {
		for _, source := range sources {
			text := tag(source.languages)
			if text == "" {
				continue
			}
			if !wellFormed(text) {
				warnings = append(warnings, fmt.Sprintf("languages: %s: %s %.40q is no BCP 47 tag", source.name, what, text))
				continue
			}
			return text
		}
		return fallback
	}
	// A person chooses the language they are answered in, a project the one its
	// files are written in: the two orders differ on purpose.
	return Languages{
		Replies:   pick("replies", func(l Languages) string { return l.Replies }, flags, environ, local, user, project),
		Artifacts: pick("artifacts", func(l Languages) string { return l.Artifacts }, flags, environ, local, project, user),
	}, warnings
}

// userFile is the user's own Datarim configuration.
func userFile(getenv func(string) string) string {
	base := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		base = filepath.Join(home, ".config")
	}
	return filepath.Join(base, "datarim", "config.yaml")
}

// wellFormed reports whether text has the form of a BCP 47 tag. Whether its parts
// are registered does not matter: a newer registry may have them.
func wellFormed(text string) bool {
	_, err := language.Parse(text)
	var unregistered language.ValueError
	return (err == nil || errors.As(err, &unregistered)) && !strings.Contains(text, "_")
}
