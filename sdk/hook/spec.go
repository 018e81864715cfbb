package hook

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"sync"
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

	Writer      Writer
	Validator   Validator
	Revalidator Revalidator
	Renderer    Renderer
	Archiver    Archiver
	Observer    Observer
}

// The forms of a spec's name and version. Compiled when they are needed: a
// plugin's start is on every hook's way.
var (
	specName    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9-]{0,63}$`) })
	specVersion = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+([-+][0-9A-Za-z.+-]+)?$`)
	})
)

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
	if !specName().MatchString(s.Name) {
		errs = append(errs, fmt.Errorf("name %q: must be lower-case letters, digits and hyphens, at most 64", s.Name))
	}
	if !specVersion().MatchString(s.Version) {
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
