// Package hook holds what crosses the process boundary: the kinds of plugin,
// one interface each, and the data they take and give.
//
// Plugin authors meet these types through the aliases in package sdk; the
// runner and the wire packages import hook itself. It does no IO.
//
// Read [Spec] first, then the file named after the kind you are after.
package hook
