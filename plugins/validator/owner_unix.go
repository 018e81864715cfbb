//go:build unix

package validator

import (
	"io/fs"
	"syscall"
)

// ownerOf returns the user ID of a file's owner.
func ownerOf(info fs.FileInfo) (uid int, ok bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}

func writableByOthers(info fs.FileInfo) bool { return info.Mode().Perm()&0o022 != 0 }
