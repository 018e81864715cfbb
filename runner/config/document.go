package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/stagehook/stagehook/sdk/identity"
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

// decode reads the bytes of one file. It is the only place that meets YAML:
// what the library lets pass, such as a second document, an alias or a null that
// silently keeps the default, is refused here.
func decode(source Origin, data []byte) (*document, error) {
	d := &document{source: source, lines: map[string]int{}}
	if err := d.checkText(data); err != nil {
		return nil, err
	}
	root, err := d.parse(data)
	if err != nil {
		return nil, err
	}
	if root == nil {
		return d, nil
	}
	if err := d.checkShape(root); err != nil {
		return nil, err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := guarded(func() error { return decoder.Decode(&d.values) }); err != nil {
		return nil, d.yamlError(err, data)
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

// parse returns the root of the one document in data, nil when it is empty.
func (d *document) parse(data []byte) (*yaml.Node, error) {
	var first, second yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	switch err := guarded(func() error { return decoder.Decode(&first) }); {
	case err == io.EOF:
		return nil, nil
	case err != nil:
		return nil, d.yamlError(err, data)
	}
	switch err := guarded(func() error { return decoder.Decode(&second) }); {
	case err == nil:
		return nil, d.fail(second.Line, nil, "a second document begins here; a file holds one")
	case err != io.EOF:
		return nil, d.yamlError(err, data)
	}
	if len(first.Content) == 0 {
		return nil, nil
	}
	root := first.Content[0]
	if root.Kind == yaml.ScalarNode && root.Value == "" && root.Style == 0 {
		return nil, nil // a document marker with nothing behind it
	}
	return root, nil
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

// guarded runs decode, which may panic on input that the library did not
// foresee.
func guarded(decode func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("yaml: %v", cause)
		}
	}()
	return decode()
}

// yamlError words an error of the library, which tells the line only in its
// text. It leaves the line out when it is the first, or of an alias to nowhere,
// and its parser, unlike its scanner, counts lines from 0.
func (d *document) yamlError(err error, data []byte) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if found := regexp.MustCompile(`^line (\d+): (did not find expected (?:<doc|node|key|'-'|','))?`).FindStringSubmatch(text); found != nil {
		line, _ = strconv.Atoi(found[1])
		if found[2] != "" {
			line++
		}
		_, text, _ = strings.Cut(text, ": ")
	} else if found := regexp.MustCompile(`^unknown anchor '(.+)' referenced$`).FindStringSubmatch(text); found != nil {
		before, _, _ := bytes.Cut(data, []byte("*"+found[1]))
		line += bytes.Count(before, []byte("\n"))
	}
	return d.fail(line, nil, "is no valid YAML: %s", strings.ReplaceAll(text, "\n", " "))
}
