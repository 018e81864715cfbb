package workspace

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"time"
)

// Unlock clears the lock of a task by hand, for the case that its holder cannot
// give it back and nothing proves that: a lock without an owner file, or one of
// another host. It reports whether there was a lock. A lock whose owner is alive
// on this host is left alone: that is a [*LockTimeoutError]. The task ID must
// have passed the grammar.
func (w *Workspace) Unlock(taskID string) (bool, error) {
	dir, err := w.OpenDir(SnapshotFolder)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer dir.Close()
	name := ".lock." + taskID
	held, err := dir.open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer held.Close()
	info, err := held.root.Stat(".")
	if err != nil {
		return false, held.fault("stat", ".", err)
	}
	if owner, _ := lastOwner(held); owner != nil && owner.local() && !owner.dead() {
		return false, &LockTimeoutError{
			TaskID: taskID,
			Path:   path.Join(dir.path, name),
			Age:    max(0, time.Since(info.ModTime())),
			Owner:  owner,
		}
	}
	return true, dir.discard(name, info)
}

// discard removes the directory name if it is still the one of info. It is moved
// away first, so that what is judged and what is removed are the same.
func (d *Dir) discard(name string, info fs.FileInfo) error {
	moved := name + "." + rand.Text()
	if err := d.root.Rename(name, moved); err != nil {
		return d.fault("rename", name, err)
	}
	now, err := d.lstat(moved)
	if err == nil && !os.SameFile(info, now) {
		// Somebody's new lock has come in between: back with it.
		return renameExclusive(d, moved, d, name)
	}
	return d.fault("remove", moved, d.root.RemoveAll(moved))
}
