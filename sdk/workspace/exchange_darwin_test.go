package workspace

import "golang.org/x/sys/unix"

// exchange swaps what is at two paths, in one step.
func exchange(a, b string) error { return unix.RenamexNp(a, b, unix.RENAME_SWAP) }
