// Package validator is the built-in snapshot-validator: it reads a task's
// snapshot, or a session's artefact, and says whether it may be used. Package snapshot judges the bytes;
// this one judges the file they are in.
//
// The command line serves it. docs/validation.md explains every verdict; a test
// here holds it to what the plugin says.
package validator
