package hook

import (
	"fmt"
	"reflect"
	"strings"
)

// Schema is the part of JSON Schema (2020-12) that settings need. A library
// would do more, and every start of every plugin would pay for its set-up.
type Schema struct {
	Type                 string             `json:"type"`
	Description          string             `json:"description,omitempty"`
	Properties           map[string]*Schema `json:"properties,omitempty"`
	Items                *Schema            `json:"items,omitempty"`
	AdditionalProperties any                `json:"additionalProperties,omitempty"` // false or a *Schema
}

// schemaOf infers the schema of what encoding/json reads into a value of type t.
// A field's tag jsonschema:"…" is its description. Nothing is required: a value
// that is left out keeps its default.
func schemaOf(t reflect.Type) (*Schema, error) {
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.Bool:
		return &Schema{Type: "boolean"}, nil
	case reflect.String:
		return &Schema{Type: "string"}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return &Schema{Type: "integer"}, nil
	case reflect.Float32, reflect.Float64:
		return &Schema{Type: "number"}, nil
	case reflect.Slice, reflect.Array:
		items, err := schemaOf(t.Elem())
		return &Schema{Type: "array", Items: items}, err
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			return nil, fmt.Errorf("a map's keys must be strings, not %s", t.Key())
		}
		values, err := schemaOf(t.Elem())
		return &Schema{Type: "object", AdditionalProperties: values}, err
	case reflect.Struct:
		return schemaOfStruct(t)
	default:
		return nil, fmt.Errorf("%s cannot be a setting", t)
	}
}

func schemaOfStruct(t reflect.Type) (*Schema, error) {
	schema := &Schema{Type: "object", Properties: map[string]*Schema{}, AdditionalProperties: false}
	for _, field := range reflect.VisibleFields(t) {
		name := settingName(field)
		if name == "" {
			continue
		}
		property, err := schemaOf(field.Type)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		property.Description = field.Tag.Get("jsonschema")
		schema.Properties[name] = property
	}
	return schema, nil
}

// settingName is the key of a field, empty when it has none.
func settingName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	switch {
	case !field.IsExported(), field.Anonymous, name == "-":
		return ""
	case name == "":
		return field.Name
	}
	return name
}

func settingNames(t reflect.Type) []string {
	var names []string
	for _, field := range reflect.VisibleFields(t) {
		if name := settingName(field); name != "" {
			names = append(names, name)
		}
	}
	return names
}
