// Package conformance checks a plugin's program, in whatever language it is
// written, against the rules of the wire and of the process: what
// docs/plugins.md and sdk/proto ask of it.
//
// Plugin authors run it in a Go test by package sdktest, or without Go by
// "stagehook plugins verify". It starts the program as the runner does, but
// knows nothing of the runner. Read [Run] first; the checks are in the files
// named after what they look at.
package conformance
