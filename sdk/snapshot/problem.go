package snapshot

import (
	"fmt"

	"github.com/stagehook/stagehook/sdk/identity"
)

// Level is how strictly [Parse] reads.
type Level string

// The levels of validation.
const (
	// LevelStrict holds a file to every rule of the format.
	LevelStrict Level = "strict"
	// LevelSchema looks only at fences, presence and form of the fields, and
	// lets unknown keys pass.
	LevelSchema Level = "schema"
)

// Problem says why a file is not a snapshot. It is data, not an error: a
// malformed snapshot is an expected answer of a validator.
type Problem struct {
	// Code is stable and meant for programs, such as "size-mismatch".
	Code string `json:"code"`
	// Detail is one line for people.
	Detail string `json:"detail"`
}

// maxDetail bounds a detail, in bytes: it may quote a value, and a value may
// fill the file.
const maxDetail = 200

func problem(code, format string, args ...any) *Problem {
	return &Problem{Code: code, Detail: identity.Shorten(fmt.Sprintf(format, args...), maxDetail)}
}
