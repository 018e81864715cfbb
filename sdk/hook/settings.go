package hook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
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
	decoder := json.NewDecoder(bytes.NewReader(settings))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(target); err != nil {
		return Failf(FailureArgument, "settings: %v", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return Failf(FailureArgument, "settings: more than one JSON object")
	}
	if checked, ok := target.(interface{ Validate() error }); ok {
		if err := checked.Validate(); err != nil {
			return Failf(FailureArgument, "settings: %v", err)
		}
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
