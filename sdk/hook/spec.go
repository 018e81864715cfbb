package hook

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Spec is everything that a plugin is: its name, its settings and one
// implementation for each kind it serves.
type Spec struct {
	// Name of the plugin: lower-case letters, digits and hyphens, at most 64.
	Name string
	// Version of the plugin, such as "1.2.0".
	Version string
	// Settings points to a struct with json tags, filled with the defaults; nil
	// when the plugin has no settings. The host's settings are decoded into it
	// strictly before the first call. If it has a method Validate() error, that
	// is asked next.
	Settings any
	// Stateless says that the plugin keeps nothing between calls that must be
	// saved. A host then kills the process when it is idle instead of asking it to
	// end, which is faster.
	Stateless bool

	Writer      Writer
	Validator   Validator
	Revalidator Revalidator
	Renderer    Renderer
	Archiver    Archiver
	Observer    Observer
}

// Kinds lists the kinds that the plugin serves.
func (s *Spec) Kinds() []Kind {
	served := map[Kind]bool{
		KindWriter:      s.Writer != nil,
		KindValidator:   s.Validator != nil,
		KindRevalidator: s.Revalidator != nil,
		KindRenderer:    s.Renderer != nil,
		KindArchiver:    s.Archiver != nil,
		KindObserver:    s.Observer != nil,
	}
	var kinds []Kind
	for _, kind := range Kinds() {
		if served[kind] {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// Validate reports everything that is wrong with the spec.
func (s *Spec) Validate() error {
	var errs []error
	if !isName(s.Name) {
		errs = append(errs, fmt.Errorf("name %q: must be lower-case letters, digits and hyphens, at most 64", s.Name))
	}
	if !isVersion(s.Version) {
		errs = append(errs, fmt.Errorf("version %q: must be MAJOR.MINOR.PATCH", s.Version))
	}
	if len(s.Kinds()) == 0 {
		errs = append(errs, errors.New("serves no kind: set at least one of Writer, Validator, Revalidator, Renderer, Archiver, Observer"))
	}
	if t := reflect.TypeOf(s.Settings); t != nil && (t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct) {
		errs = append(errs, fmt.Errorf("settings: must be a pointer to a struct, not %s", t))
	}
	return errors.Join(errs...)
}

// The two forms are checked by hand: a plugin's start is on every hook's way, and
// compiling a pattern takes longer than all else that is done there.

func isName(text string) bool {
	const letters, rest = "abcdefghijklmnopqrstuvwxyz", "0123456789-"
	return text != "" && len(text) <= 64 && strings.Contains(letters, text[:1]) && strings.Trim(text, letters+rest) == ""
}

func isVersion(text string) bool {
	core := text
	if i := strings.IndexAny(text, "-+"); i >= 0 {
		core = text[:i]
	}
	parts := strings.Split(core, ".")
	for _, part := range parts {
		if part == "" || strings.Trim(part, "0123456789") != "" {
			return false
		}
	}
	const suffix = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.+-"
	return len(parts) == 3 && text[len(text)-1] != '-' && text[len(text)-1] != '+' && strings.Trim(text, suffix) == ""
}
