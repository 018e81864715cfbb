package config

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/viper"
)

// scalarKeys are the top-level keys that hold one value. Only these can come
// from the environment and from flags.
func scalarKeys() []string {
	return []string{
		"profile", "task_id_pattern", "marker", "lock_timeout", "input_timeout",
		"start_timeout", "call_timeout", "stop_timeout", "log_level",
	}
}

// variables lists the variables that set key; the first that is set and not
// empty counts.
func variables(key string) []string {
	names := []string{"STAGEHOOK_" + strings.ToUpper(key)}
	if key == "lock_timeout" {
		// Shared with the shell writers of the same lock, so it goes first.
		names = slices.Insert(names, 0, "DR_SNAPSHOT_LOCK_TIMEOUT")
	}
	return names
}

// scalars lays the keys that hold one value over each other. It is all that
// viper is used for: viper folds the case of keys and splits them at dots, so
// names and settings never pass through it.
type scalars struct {
	viper     *viper.Viper
	documents []*document // the lowest layer first
	flags     map[string]string
}

func newScalars(documents []*document, flags map[string]string) (*scalars, error) {
	s := &scalars{viper: viper.New(), documents: documents, flags: flags}
	for _, d := range documents {
		s.add(d)
	}
	for _, key := range scalarKeys() {
		// It fails only without arguments.
		_ = s.viper.BindEnv(append([]string{key}, variables(key)...)...)
	}
	for key, value := range flags {
		if !slices.Contains(scalarKeys(), key) {
			return nil, Errors{{Origin: flagOrigin(key), Msg: "sets no key of the configuration"}}
		}
		s.viper.Set(key, value)
	}
	return s, nil
}

// add lays a document over the ones before it. The profile comes after the files
// that name it and still lies below them: viper keeps defaults apart.
func (s *scalars) add(d *document) {
	values := map[string]any{}
	for key, value := range d.values.scalars() {
		if d.has(keyPath{key}) {
			values[key] = value
		}
	}
	if d.source.Layer == LayerDefault || d.source.Layer == LayerProfile {
		for key, value := range values {
			s.viper.SetDefault(key, value)
		}
		return
	}
	// MergeConfigMap has no way to fail.
	_ = s.viper.MergeConfigMap(values)
}

// fill sets the scalar fields of c and notes their origins.
func (s *scalars) fill(c *Config) error {
	var errs Errors
	duration := func(key string) time.Duration {
		text := s.viper.GetString(key)
		d, err := time.ParseDuration(text)
		if err != nil {
			errs = append(errs, &Error{s.origin(key), key, fmt.Sprintf("must be a duration with its unit, such as 10s, not %q", text)})
		}
		return d
	}
	c.Profile = s.viper.GetString("profile")
	c.TaskIDPattern = s.viper.GetString("task_id_pattern")
	c.Marker = s.viper.GetString("marker")
	c.LockTimeout = s.viper.GetString("lock_timeout")
	c.InputTimeout = duration("input_timeout")
	c.StartTimeout = duration("start_timeout")
	c.CallTimeout = duration("call_timeout")
	c.StopTimeout = duration("stop_timeout")
	c.LogLevel = s.viper.GetString("log_level")
	for _, key := range scalarKeys() {
		c.origins[key] = s.origin(key)
	}
	return errs.orNil()
}

// origin is the place of the value that viper gives for key.
func (s *scalars) origin(key string) Origin {
	if _, ok := s.flags[key]; ok {
		return flagOrigin(key)
	}
	for _, name := range variables(key) {
		if os.Getenv(name) != "" {
			return Origin{Layer: LayerEnvironment, Path: name}
		}
	}
	path := keyPath{key}
	for _, d := range slices.Backward(s.documents) {
		if d.has(path) {
			return d.origin(path)
		}
	}
	return Origin{}
}

func flagOrigin(key string) Origin {
	return Origin{Layer: LayerFlag, Path: "--" + strings.ReplaceAll(key, "_", "-")}
}

// scalars returns the values of [scalarKeys] as a file has them.
func (c *Config) scalars() map[string]string {
	return map[string]string{
		"profile":         c.Profile,
		"task_id_pattern": c.TaskIDPattern,
		"marker":          c.Marker,
		"lock_timeout":    c.LockTimeout,
		"input_timeout":   c.InputTimeout.String(),
		"start_timeout":   c.StartTimeout.String(),
		"call_timeout":    c.CallTimeout.String(),
		"stop_timeout":    c.StopTimeout.String(),
		"log_level":       c.LogLevel,
	}
}
