// Package exec is the built-in plugin that lets any program be a revalidator or
// an observer: it runs the program that its settings name, with one JSON object
// on standard input, and reads one back. It imports only the SDK.
//
// Read exec.go for the settings, command.go and run.go for how the program is
// run, and revalidator.go and observer.go for what it is asked.
package exec
