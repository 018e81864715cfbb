package main

// isInherited has nothing to refuse: there are no names of file descriptors.
func isInherited(string) bool { return true }
