// Package renderer is the built-in replay-renderer: it makes the prompt with
// which the next session takes up a task.
//
// The template is fixed to the byte. Nothing in a snapshot is interpreted: its
// body is copied, and after a revalidation it cannot choose the command.
package renderer
