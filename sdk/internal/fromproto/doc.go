// Package fromproto turns the messages of the wire into the types of sdk/hook
// and sdk/snapshot. Package toproto is the way there, with one file of the same
// name per concept.
//
// A message may come from any program, so what breaks the protocol is an error
// here: a plugin answers it with INVALID_ARGUMENT, a host takes it for a broken
// plugin. Nothing that is unknown, absent or contradictory reads as a pass.
// Names are not checked: the grammar is the receiver's, see sdk/identity.
//
// Only sdk/host2plugin imports it. A value shares its slices with the message it
// was made of.
//
// Read plugin.proto in sdk/proto first, then [Failure].
package fromproto
