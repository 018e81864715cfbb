// Package records knows the decision records of a task, the authority on where
// it may go next.
package records
