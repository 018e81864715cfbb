package config

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stagehook/stagehook/configs"
)

// Load reads all layers and returns the effective configuration, checked. It
// starts nothing and writes nothing. The error is an [Errors].
func Load(s Sources) (*Config, error) { return s.load(Path.read) }

// load is Load with another way to read the files.
func (s Sources) load(read func(Path) ([]byte, error)) (*Config, error) {
	documents, sealed, err := s.documents(read)
	if err != nil {
		return nil, err
	}
	scalars, err := newScalars(documents, s.Flags)
	if err != nil {
		return nil, err
	}
	if err := scalars.insertProfile(); err != nil {
		return nil, err
	}
	c := &Config{
		Plugins:   map[string]Plugin{},
		Events:    map[string][]Step{},
		origins:   origins{},
		workspace: sealed,
	}
	var before []asked
	for _, document := range scalars.documents {
		if document.source.Layer == LayerWorkspace {
			before = c.asked()
		}
		c.merge(document)
	}
	c.displaced = c.displacedOf(before)
	if err := scalars.fill(c); err != nil {
		return nil, err
	}
	c.finishPlugins()
	if err := c.Check(); err != nil {
		return nil, err
	}
	return c, nil
}

// documents decodes the defaults and every file that exists, the lowest layer
// first, and seals the workspace's file with the bytes that were decoded.
func (s Sources) documents(read func(Path) ([]byte, error)) ([]*document, seal, error) {
	var documents []*document
	var sealed seal
	var errs Errors
	add := func(source Origin, data []byte) {
		d, err := decode(source, data)
		var found Errors
		switch {
		case err == nil:
			documents = append(documents, d)
		case errors.As(err, &found):
			errs = append(errs, found...)
		default:
			errs = append(errs, &Error{Origin: source, Msg: err.Error()})
		}
	}
	add(Origin{Layer: LayerDefault}, withoutComments(configs.Defaults()))
	for _, place := range s.places() {
		source := Origin{Layer: place.Layer, Path: place.Path}
		data, err := read(place)
		if err != nil {
			errs = append(errs, &Error{Origin: source, Msg: err.Error()})
			continue
		}
		if place.Layer == LayerWorkspace {
			sealed = newSeal(place.Path, data)
		}
		if data != nil {
			add(source, data)
		}
	}
	for _, d := range documents {
		if d.source.Layer == LayerWorkspace {
			d.dropLogLevel(sealed)
		}
	}
	return documents, sealed, errs.orNil()
}

// insertProfile lays the profile that the other layers name right above the
// defaults.
func (s *scalars) insertProfile() error {
	name := s.viper.GetString("profile")
	if name == "" {
		return nil
	}
	data := configs.Profile(name)
	if data == nil {
		return Errors{{
			Origin: s.origin("profile"),
			Key:    "profile",
			Msg:    fmt.Sprintf("%q is none of %s", name, strings.Join(configs.Profiles(), " ")),
		}}
	}
	profile, err := decode(Origin{Layer: LayerProfile, Path: name}, data)
	if err != nil {
		return err
	}
	s.documents = slices.Insert(s.documents, 1, profile)
	s.add(profile)
	return nil
}

// withoutComments drops the comment lines of the shipped defaults. They are more
// than half of it, every command reads it, and nothing points at its lines.
func withoutComments(text []byte) []byte {
	var kept []byte
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, []byte("#")) {
			kept = append(kept, line...)
		}
	}
	return kept
}
