package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Configure decodes the host's settings, a JSON object, into s.Settings. Unknown
// and mistyped keys are refused as a [*Failure] with [FailureArgument].
func (s *Spec) Configure(settings []byte) error {
	if len(settings) == 0 {
		settings = []byte("{}")
	}
	target := s.Settings
	if target == nil {
		target = &struct{}{}
	}
	if err := decodeSettings(settings, target); err != nil {
		return &Failure{Code: FailureArgument, Message: "settings: " + err.Error()}
	}
	if checked, ok := target.(interface{ Validate() error }); ok {
		if err := checked.Validate(); err != nil {
			return Failf(FailureArgument, "settings: %v", err)
		}
	}
	return nil
}

func decodeSettings(settings []byte, target any) error {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(settings, &keys); err != nil {
		return errors.New("must be one JSON object")
	}
	// The decoder takes a key in any case; a setting has one spelling.
	known := settingNames(reflect.TypeOf(target).Elem())
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		switch {
		case slices.Contains(known, key):
		case len(known) == 0:
			return fmt.Errorf("unknown key %q; this plugin has no settings", key)
		default:
			return fmt.Errorf("unknown key %q; there are: %s", key, strings.Join(known, " "))
		}
	}
	decoder := json.NewDecoder(bytes.NewReader(settings))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(target)
	var mistyped *json.UnmarshalTypeError
	if errors.As(err, &mistyped) {
		return fmt.Errorf("%s: must be of type %s, not %s", mistyped.Field, mistyped.Type, mistyped.Value)
	}
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// Description is what a plugin says of itself, as JSON, when it is started with
// the argument "describe".
type Description struct {
	Name      string  `json:"name"`
	Version   string  `json:"version"`
	Kinds     []Kind  `json:"kinds"`
	Protocols []int   `json:"protocols"` // versions of the wire protocol
	Stateless bool    `json:"stateless,omitempty"`
	Settings  *Schema `json:"settings,omitempty"`
}

// Describe returns the plugin's description. The spec must be valid. It fails
// when the settings have a field that JSON cannot hold.
func (s *Spec) Describe() (*Description, error) {
	d := &Description{Name: s.Name, Version: s.Version, Kinds: s.Kinds(), Protocols: []int{ProtocolVersion}, Stateless: s.Stateless}
	if s.Settings == nil {
		return d, nil
	}
	schema, err := schemaOf(reflect.TypeOf(s.Settings))
	if err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	d.Settings = schema
	return d, nil
}
