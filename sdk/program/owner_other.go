//go:build unix && !linux

package program

// outside reports whether an owner has no number in this user namespace, which only
// Linux has.
func outside(uint32) bool { return false }
