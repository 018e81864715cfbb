package main

// ownFiles does nothing: Windows has no umask.
func ownFiles() {}
