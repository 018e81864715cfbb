//go:build unix

package process

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// socketPrefix begins the names that go-plugin gives to the directories.
const socketPrefix = "plugin-dir"

// socketMode is the mode of a directory that is held by its host. The sticky bit
// changes nothing there: it tells it from those of other hosts, which hold nothing.
const socketMode = os.ModeSticky | 0o700

// writable reports whether files can be made in a directory.
func writable(dir string) error { return unix.Access(dir, unix.W_OK|unix.X_OK) }

// holdSockets marks a new directory as held for as long as this process lives, or
// until the hold is closed.
func holdSockets(dir string) (io.Closer, error) {
	// A umask may have taken the owner's own bits.
	if err := os.Chmod(dir, 0o700); err != nil {
		return nil, err
	}
	held, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	// Not every file system has locks; then nobody sweeps the directory.
	if unix.Flock(int(held.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
		_ = os.Chmod(dir, socketMode) // it is held from the moment that it says so
	}
	return held, nil
}

// sweepSockets removes the directories of hosts that have died without a chance to
// do so. Whatever is in doubt stays.
func sweepSockets(base string) {
	folder, err := os.Open(base)
	if err != nil {
		return
	}
	names, _ := folder.Readdirnames(-1)
	_ = folder.Close()
	for _, name := range names {
		if strings.HasPrefix(name, socketPrefix) {
			sweep(filepath.Join(base, name))
		}
	}
}

func sweep(dir string) {
	file, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Mode() != os.ModeDir|socketMode {
		return
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(stat.Uid) != os.Geteuid() {
		return
	}
	if unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
		_ = os.RemoveAll(dir)
	}
}
