// Package program tells whether another user of the machine can put another
// program in the place of one that is about to be run. Whoever runs programs
// that a configuration names imports it: the runner, and the built-in exec.
//
// Read check.go for the rule and why it is no stricter.
package program
