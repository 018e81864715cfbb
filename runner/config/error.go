package config

import "strings"

// Error is one thing that is wrong with the configuration.
type Error struct {
	// Origin is where it stands; the zero value when it stands nowhere, such as
	// a key that is missing.
	Origin Origin
	// Key leads to the value, such as plugins.archiver.env; may be empty.
	Key string
	// Msg says what is wrong, on one line.
	Msg string
}

func (e *Error) Error() string {
	var parts []string
	for _, part := range []string{e.Origin.String(), e.Key, e.Msg} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ": ")
}

// Errors is everything that is wrong with the configuration, at least one thing.
// [Load] and [Config.Check] return it; errors.As finds the first [*Error] in it.
type Errors []*Error

// Error returns all of them on one line.
func (e Errors) Error() string {
	texts := make([]string, len(e))
	for i, err := range e {
		texts[i] = err.Error()
	}
	return strings.Join(texts, "; ")
}

// Unwrap lets errors.As and errors.Is see the single errors.
func (e Errors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, err := range e {
		errs[i] = err
	}
	return errs
}

// orNil is e as an error, nil when it is empty.
func (e Errors) orNil() error {
	if len(e) == 0 {
		return nil
	}
	return e
}
