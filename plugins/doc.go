// Package plugins lists the built-in plugins. Each is a package of its own below
// this one, built on the SDK alone, and runs in a process of its own like any
// stranger's.
//
// The command line imports it to serve them; the runner never does.
package plugins
