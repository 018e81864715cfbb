// Package identity is the one grammar of the names that stagehook deals in:
// task IDs, stages, commands, capture times and the single-line values around
// them.
//
// Every command and every plugin checks a name here before its first IO, so a
// name that passed cannot leave the workspace, break the snapshot's header or
// hide text from a reader. The package does no IO and keeps no state.
//
// Read [Grammar] first.
package identity
