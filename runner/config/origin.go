package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Layer is one of the layers that make up the configuration.
type Layer string

// The layers, the lowest first.
const (
	LayerDefault     Layer = "default"
	LayerProfile     Layer = "profile"
	LayerSystem      Layer = "system"
	LayerUser        Layer = "user"
	LayerWorkspace   Layer = "workspace"
	LayerFile        Layer = "file" // of --config
	LayerEnvironment Layer = "environment"
	LayerFlag        Layer = "flag"
)

// Origin is the place where a value was set.
type Origin struct {
	Layer Layer
	// Path is the file, or the name of the profile, the variable or the flag.
	Path string
	// Line counts from 1; it is 0 when the place has no lines.
	Line int
}

// String returns the origin on one line, such as "default", "profile
// datarim-2.67", "/etc/stagehook/config.yaml:12", "environment
// STAGEHOOK_LOG_LEVEL" or "flag --log-level".
func (o Origin) String() string {
	path := o.Path
	if lineProblem(path) != "" {
		path = strconv.Quote(path)
	}
	switch o.Layer {
	case LayerDefault:
		return string(o.Layer)
	case LayerProfile, LayerEnvironment, LayerFlag:
		return string(o.Layer) + " " + path
	}
	if o.Line > 0 {
		return fmt.Sprintf("%s:%d", path, o.Line)
	}
	return path
}

// keyPath leads to a value: keys of maps, and "[0]" for an element of a list.
type keyPath []string

// with returns the path to a key below p.
func (p keyPath) with(keys ...string) keyPath { return slices.Concat(p, keys) }

// element returns the path to an element of the list at p.
func (p keyPath) element(i int) keyPath { return p.with(fmt.Sprintf("[%d]", i)) }

// String returns the path for people, such as events.resume[1].kind.
func (p keyPath) String() string {
	return strings.ReplaceAll(strings.Join(p, "."), ".[", "[")
}

// id returns the path as a key of a map. No key of a file holds a NUL.
func (p keyPath) id() string { return strings.Join(p, "\x00") }

// origins holds where the values come from, by keyPath.id.
type origins map[string]Origin

// drop forgets the value at path and everything below it.
func (o origins) drop(path keyPath) {
	id := path.id()
	maps.DeleteFunc(o, func(key string, _ Origin) bool {
		return key == id || strings.HasPrefix(key, id+"\x00")
	})
}

// has reports whether layer set the value at path or anything below it.
func (o origins) has(layer Layer, path keyPath) bool {
	id := path.id()
	for key, origin := range o {
		if origin.Layer == layer && (key == id || strings.HasPrefix(key, id+"\x00")) {
			return true
		}
	}
	return false
}
