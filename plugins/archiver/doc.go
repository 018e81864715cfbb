// Package archiver is the built-in archiver: it moves a task's last snapshot to
// the archive of the task's area, byte for byte and without ever replacing
// anything. Whether the snapshot is valid does not matter to it: what a task has
// left is kept.
//
// The command line serves it. Read [Spec], then area.go for where a snapshot
// goes, registry.go and markdown.go for how a project names its areas.
package archiver
