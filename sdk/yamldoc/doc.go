// Package yamldoc reads one YAML document from bytes that a stranger may have
// written. It is the one place that calls the YAML library's parser, and closes
// what the library leaves open: panics, further documents that are ignored, and
// the features by which a text means something else than it says.
//
// Readers of snapshots, records and configuration build on it.
package yamldoc
