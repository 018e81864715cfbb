// Package scaffold writes the folder of a new plugin in Go: a small plugin of one
// kind that works, with its tests and the configuration that wires it.
//
// The folder named after a kind holds that plugin, under the name "my-plugin". It
// is part of this module, so that it is built, checked and tested like all else.
//
// The command "plugins init" imports it. Read [New] first.
package scaffold
