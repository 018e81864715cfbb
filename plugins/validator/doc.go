// Package validator is the built-in snapshot-validator: it reads a task's
// snapshot and says whether it may be used.
package validator
