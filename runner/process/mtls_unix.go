//go:build unix

package process

// mtlsAlways is false: the socket lies in a directory that only its owner may
// enter, and mutual TLS would double the time of a start.
const mtlsAlways = false
