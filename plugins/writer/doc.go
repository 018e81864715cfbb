// Package writer is the built-in snapshot-writer: it stores a stage's answer as
// the task's snapshot, under the task's lock and in one atomic step.
package writer
