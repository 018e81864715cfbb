package config

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/yamldoc"
)

// document is one decoded file.
type document struct {
	source Origin // without a line
	values Config // only what the file sets
	lines  map[string]int
}

// has reports whether the file sets the value at path.
func (d *document) has(path keyPath) bool { return d.lines[path.id()] > 0 }

// origin is the place in the file where the value at path stands.
func (d *document) origin(path keyPath) Origin { return d.at(d.lines[path.id()]) }

func (d *document) at(line int) Origin {
	origin := d.source
	origin.Line = line
	return origin
}

// decode reads the bytes of one file, strictly: what YAML lets pass, such as an
// alias, a key that nothing reads or a null that silently keeps the default, is
// refused with its line.
func decode(source Origin, data []byte) (*document, error) {
	d := &document{source: source, lines: map[string]int{}}
	if err := d.checkText(data); err != nil {
		return nil, err
	}
	root, err := yamldoc.Parse(data)
	if err != nil {
		var broken *yamldoc.Error
		errors.As(err, &broken) // Parse returns no other
		return nil, d.fail(broken.Line, nil, "%s", broken.Detail)
	}
	if root == nil || root.Kind == yaml.ScalarNode && root.Value == "" && root.Style == 0 {
		return d, nil // nothing, or a document marker with nothing behind it
	}
	if err := d.checkShape(root); err != nil {
		return nil, err
	}
	// What is left names no key: a tag that the nodes do not show.
	if err := yamldoc.Check(root, data); err != nil {
		var broken *yamldoc.Error
		errors.As(err, &broken)
		return nil, d.fail(broken.Line, nil, "%s", broken.Detail)
	}
	if err := d.decodeValues(root); err != nil {
		return nil, err
	}
	if err := d.finish(); err != nil {
		return nil, err
	}
	return d, nil
}

// checkText refuses bytes that a person reads in another way than the parser:
// what is no UTF-8, line breaks that no editor shows, and text that displays
// backwards. A file that is trusted must say what it seems to say.
func (d *document) checkText(data []byte) error {
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		return d.fail(1, nil, "begins with a byte order mark")
	}
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.ReplaceAll(strings.TrimSuffix(line, "\r"), "\t", " ")
		if problem := lineProblem(line); problem != "" {
			return d.fail(i+1, nil, "%s", problem)
		}
	}
	return nil
}

// finish checks what concerns several keys of one entry, and turns relative
// programs into absolute paths.
func (d *document) finish() error {
	var errs Errors
	for _, name := range slices.Sorted(maps.Keys(d.values.Plugins)) {
		plugin := d.values.Plugins[name]
		path := keyPath{"plugins", name}
		command := path.with("command")
		if !d.has(command) {
			continue
		}
		if d.has(path.with("builtin")) {
			errs = append(errs, d.fail(d.lines[command.id()], path, "has both builtin and command; one of them names the program")...)
			continue
		}
		if len(plugin.Command) == 0 || plugin.Command[0] == "" {
			errs = append(errs, d.fail(d.lines[command.id()], command, "names no program")...)
			continue
		}
		program := filepath.FromSlash(plugin.Command[0])
		if !filepath.IsAbs(program) && strings.ContainsRune(program, filepath.Separator) {
			plugin.Command[0] = filepath.Join(filepath.Dir(d.source.Path), program)
		}
	}
	return errs.orNil()
}

// fail makes the error of a line of this file.
func (d *document) fail(line int, path keyPath, format string, args ...any) Errors {
	return Errors{{Origin: d.at(line), Key: path.String(), Msg: fmt.Sprintf(format, args...)}}
}

// lineProblem says why text cannot stand on one line, empty when it can.
func lineProblem(text string) string {
	var refused *identity.ValueError
	if errors.As(identity.Line("", text), &refused) {
		return refused.Detail
	}
	return ""
}

// decodeValues fills the typed values. The shape has been checked, so an error
// or a panic of the library here is a case that checkShape does not know.
func (d *document) decodeValues(root *yaml.Node) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = d.fail(0, nil, "cannot be decoded: %v", cause)
		}
	}()
	if err := root.Decode(&d.values); err != nil {
		return d.fail(0, nil, "cannot be decoded: %s", strings.ReplaceAll(err.Error(), "\n", " "))
	}
	return nil
}
