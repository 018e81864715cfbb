// Package snapshot is the snapshot file's format: render, parse and check. It
// is pure: bytes in, bytes out, no IO.
//
// A snapshot is a YAML header between two "---" lines, an empty line, and the
// body of a stage's answer, at most [MaxBytes] in all. Anything that reads or
// writes snapshots, built-in or not, uses this package, so that one definition
// serves both sides: whatever [Render] returns, [Parse] accepts.
//
// Read [Snapshot], then [Render] and [Parse]. The rules for cutting a body are
// in truncate.go, fence.go and cta.go, those for YAML in scalar.go and decode.go.
package snapshot
