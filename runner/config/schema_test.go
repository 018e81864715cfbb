package config

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"gopkg.in/yaml.v3"

	"github.com/stagehook/stagehook/configs"
)

func shippedSchema(t *testing.T) (*jsonschema.Schema, *jsonschema.Resolved) {
	t.Helper()
	var schema jsonschema.Schema
	if err := json.Unmarshal(configs.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &schema, resolved
}

// validates reports what the schema says of a text, as an editor would.
func validates(t *testing.T, schema *jsonschema.Resolved, text string) error {
	t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		return err
	}
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	var instance any
	if err := json.Unmarshal(data, &instance); err != nil {
		t.Fatal(err)
	}
	return schema.Validate(instance)
}

func TestShippedFilesFitTheSchema(t *testing.T) {
	_, schema := shippedSchema(t)
	texts := map[string]string{"defaults": string(configs.Defaults())}
	for _, name := range configs.Profiles() {
		texts[name] = string(configs.Profile(name))
	}
	for name, text := range texts {
		if err := validates(t, schema, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSchemaHasTheKeysOfTheTypes(t *testing.T) {
	schema, _ := shippedSchema(t)
	for _, test := range []struct {
		typ    reflect.Type
		schema *jsonschema.Schema
	}{
		{reflect.TypeFor[Config](), schema},
		{reflect.TypeFor[Plugin](), schema.Defs["plugin"]},
		{reflect.TypeFor[Step](), schema.Defs["step"]},
	} {
		var keys []string
		for i := range test.typ.NumField() {
			if tag := test.typ.Field(i).Tag.Get("yaml"); tag != "" && tag != "-" {
				keys = append(keys, tag)
			}
		}
		slices.Sort(keys)
		if got := slices.Sorted(maps.Keys(test.schema.Properties)); !slices.Equal(got, keys) {
			t.Errorf("%s: schema has %v, type has %v", test.typ, got, keys)
		}
		for key, property := range test.schema.Properties {
			if property.Description == "" {
				t.Errorf("%s: %s has no description", test.typ, key)
			}
		}
	}
	if got := slices.Sorted(maps.Keys(schema.Properties["events"].Properties)); !slices.Equal(got, slices.Sorted(slices.Values(Events()))) {
		t.Errorf("events %v", got)
	}
}

// The schema lists what the program knows.
func TestSchemaHasTheNamesOfTheProgram(t *testing.T) {
	schema, _ := shippedSchema(t)
	enum := func(s *jsonschema.Schema) string {
		var names []string
		for _, name := range s.Enum {
			names = append(names, name.(string))
		}
		return strings.Join(names, " ")
	}
	if got := enum(schema.Defs["plugin"].Properties["builtin"]); got != strings.Join(Builtins(), " ") {
		t.Errorf("builtins %s", got)
	}
	for _, event := range Events() {
		if got := enum(schema.Properties["events"].Properties[event].Items.Properties["kind"]); got != words(allowedKinds(event)) {
			t.Errorf("kinds of %s: %s", event, got)
		}
	}
}

// What one side refuses the other refuses too.
func TestSchemaAndLoaderAgree(t *testing.T) {
	_, schema := shippedSchema(t)
	pin := strings.Repeat("ab", 32)
	for text, good := range map[string]bool{
		"log_level: debug": true,
		"log_level: loud":  false,
		"log_level: [off]": false,
		"hoks: {}":         false,
		"marker: 1":        false,
		"marker: ''":       false,
		"stages: [mine]":   true,
		"stages: [Mine]":   false,
		"stages: mine":     false,
		"lock_timeout: 5":  true,
		"lock_timeout: a":  true,
		"lock_timeout: []": false,

		"call_timeout: 1m30s": true,
		"call_timeout: 30":    false,
		"call_timeout: 5 s":   false,

		"plugins: {x: {builtin: archiver}}":                                true,
		"plugins: {x: {builtin: nope}}":                                    false,
		"plugins: {x: {builtin: exec, settings: {command: [a]}}}":          true,
		"plugins: {x: {builtin: exec, sha256: " + pin + "}}":               false,
		"plugins: {archiver: {}}":                                          true,
		"plugins: {'a b': {builtin: archiver}}":                            false,
		"plugins: {x: {command: [a, b]}}":                                  true,
		"plugins: {x: {command: []}}":                                      false,
		"plugins: {x: {command: a}}":                                       false,
		"plugins: {x: {command: [1]}}":                                     false,
		"plugins: {x: {command: [a], builtin: archiver}}":                  false,
		"plugins: {x: {command: [a], sha256: " + pin + "}}":                true,
		"plugins: {x: {command: [a], sha256: ABC}}":                        false,
		"plugins: {x: {builtin: archiver, sha256: " + pin + "}}":           false,
		"plugins: {archiver: {settings: {A: [1, {b: c}], d: true}}}":       true,
		"plugins: {archiver: {settings: {A: [1, {b: ~}]}}}":                false,
		"plugins: {archiver: {settings: []}}":                              false,
		"plugins: {archiver: {env: [A_1]}}":                                true,
		"plugins: {archiver: {env: [1A]}}":                                 false,
		"plugins: {archiver: {mtls: yes}}":                                 false,
		"plugins: {archiver: {mtls: true, stop_timeout: 1s}}":              true,
		"plugins: {archiver: {stop_timeout: 1}}":                           false,
		"events: {resume: []}":                                             true,
		"events: {start: []}":                                              false,
		"events: {resume: {}}":                                             false,
		"events: {resume: [{kind: renderer}]}":                             false,
		"events: {resume: [{plugin: archiver}]}":                           false,
		"events: {resume: [{kind: writer, plugin: archiver}]}":             false,
		"events: {resume: [{kind: renderer, plugin: archiver, when: x}]}":  false,
		"events: {archive: [{kind: observer, plugin: archiver, if: x}]}":   false,
		"events: {archive: [{kind: archiver, plugin: archiver}]}":          true,
		"events: {archive: [{kind: observer, plugin: x, stages: [plan]}]}": false,

		"events: {stage-exit: [{kind: observer, plugin: archiver, stages: [plan], when: snapshot}]}": true,
	} {
		_, loadErr := Load(place(t, map[Layer]string{LayerFile: text}))
		schemaErr := validates(t, schema, text)
		if (loadErr == nil) != good || (schemaErr == nil) != good {
			t.Errorf("%s: good is %t\nloader: %v\nschema: %v", text, good, loadErr, schemaErr)
		}
	}
}
