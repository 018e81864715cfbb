// Package toproto turns the types of sdk/hook and sdk/snapshot into the messages
// of the wire. Package fromproto is the way back, with one file of the same name
// per concept.
//
// Only sdk and sdk/host2plugin import it. A message shares its slices with the
// value it was made of. Nothing fails here: a string that is not UTF-8 makes
// gRPC refuse the message, except for texts meant for people, which are mended.
//
// Read plugin.proto in sdk/proto first, then [Failure].
package toproto
