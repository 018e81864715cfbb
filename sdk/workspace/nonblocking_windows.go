package workspace

// nonBlocking is nothing here: there are no FIFOs in a directory.
const nonBlocking = 0
