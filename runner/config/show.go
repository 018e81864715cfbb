package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Value is one value of the effective configuration.
type Value struct {
	// Path leads to the value, such as "plugins", "archiver", "builtin".
	Path []string
	// Value is a string, number, bool, list or empty map.
	Value  any
	Origin Origin
}

// Show lists the effective configuration in the order of the shipped defaults,
// plugins and settings by name. A plugin has the keys that some layer set.
func (c *Config) Show() []Value {
	v := &view{origins: c.origins}
	texts := c.scalars()
	for _, key := range []string{"profile", "task_id_pattern"} {
		v.add(keyPath{key}, texts[key])
	}
	v.add(keyPath{"stages"}, c.Stages)
	for _, key := range []string{"marker", "lock_timeout", "input_timeout", "start_timeout", "call_timeout", "stop_timeout", "log_level"} {
		v.add(keyPath{key}, texts[key])
	}
	for _, name := range slices.Sorted(maps.Keys(c.Plugins)) {
		v.plugin(keyPath{"plugins", name}, c.Plugins[name])
	}
	for _, event := range Events() {
		v.add(keyPath{"events", event}, c.Events[event])
	}
	return v.values
}

// view collects the values that have an origin.
type view struct {
	origins origins
	values  []Value
}

func (v *view) add(path keyPath, value any) {
	if origin, ok := v.origins[path.id()]; ok {
		v.values = append(v.values, Value{Path: path, Value: value, Origin: origin})
	}
}

func (v *view) plugin(path keyPath, plugin Plugin) {
	v.add(path.with("builtin"), plugin.Builtin)
	v.add(path.with("command"), plugin.Command)
	v.add(path.with("sha256"), plugin.SHA256)
	v.settings(path.with("settings"), plugin.Settings)
	v.add(path.with("env"), plugin.Env)
	v.add(path.with("mtls"), plugin.MTLS)
	v.add(path.with("start_timeout"), plugin.StartTimeout.String())
	v.add(path.with("call_timeout"), plugin.CallTimeout.String())
	v.add(path.with("stop_timeout"), plugin.StopTimeout.String())
}

func (v *view) settings(path keyPath, value any) {
	settings, ok := value.(map[string]any)
	if !ok || len(settings) == 0 {
		v.add(path, value)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		v.settings(path.with(key), settings[key])
	}
}

// WriteYAML writes the effective configuration as a valid configuration file,
// each value with its origin in a comment behind it.
func (c *Config) WriteYAML(w io.Writer) error {
	var out bytes.Buffer
	var last []string
	for _, value := range c.Show() {
		writeValue(&out, last, value)
		last = value.Path
	}
	_, err := w.Write(out.Bytes())
	return err
}

// writeValue writes the keys of value that last, the path of the value before
// it, does not share, and the value itself.
func writeValue(out *bytes.Buffer, last []string, value Value) {
	end := len(value.Path) - 1
	shared := 0
	for shared < end && shared < len(last) && last[shared] == value.Path[shared] {
		shared++
	}
	indent := func(depth int) string { return strings.Repeat("  ", depth) }
	for depth := shared; depth < end; depth++ {
		fmt.Fprintf(out, "%s%s:\n", indent(depth), keyText(value.Path[depth]))
	}
	key := indent(end) + keyText(value.Path[end]) + ":"
	steps, isSteps := value.Value.([]Step)
	if !isSteps || len(steps) == 0 {
		fmt.Fprintf(out, "%s %s # %s\n", key, valueText(value.Value), value.Origin)
		return
	}
	fmt.Fprintf(out, "%s # %s\n", key, value.Origin)
	for _, step := range steps {
		fmt.Fprintf(out, "%s- %s\n", indent(end+1), valueText(step))
	}
}

// keyText is a key as YAML: plain when no reader can take it for anything but
// this string, else in quotes.
func keyText(key string) string {
	words := []string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}
	if made(key, letters+digits+"_-") && made(key[:1], letters) && !slices.Contains(words, strings.ToLower(key)) {
		return key
	}
	return valueText(key)
}

// valueText is a value as JSON, which is YAML too once what YAML takes for a
// line break or refuses to read is escaped.
func valueText(value any) string {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	// A configuration holds only what came from YAML and fits JSON.
	_ = encoder.Encode(value)
	var text strings.Builder
	for _, r := range strings.TrimSuffix(buffer.String(), "\n") {
		if unicode.IsPrint(r) || r > 0xFFFF {
			text.WriteRune(r)
		} else {
			fmt.Fprintf(&text, `\u%04x`, r)
		}
	}
	return text.String()
}
