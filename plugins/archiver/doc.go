// Package archiver is the built-in archiver: it moves a task's last snapshot to
// the archive of the task's area, byte for byte and without ever replacing
// anything.
package archiver
