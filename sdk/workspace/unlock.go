package workspace

import (
	"cmp"
	"errors"
	"io/fs"
)

// Unlock clears the lock of a task by hand, for the case that its holder cannot
// give it back and nothing proves that: a lock without a valid owner file, or one
// of another host. It reports whether there was a lock. A lock whose owner is
// alive on this host is left alone: that is a [*LockTimeoutError]. The task ID
// must have passed the grammar.
func (w *Workspace) Unlock(taskID string) (bool, error) {
	name, err := lockName(taskID)
	if err != nil {
		return false, err
	}
	dir, err := w.OpenDir(SnapshotFolder)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer dir.Close()
	lock := &Lock{dir: dir, name: name, owner: newOwner()}
	for range maxSwaps {
		err := lock.clearByHand()
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		if err != errTooLate {
			return err == nil, err
		}
	}
	return false, dir.fault("unlock", name, errSwapped)
}

// clearByHand takes the lock over, dead or not, and gives it back. To take it
// over first is what keeps it from being somebody else's by the time it goes.
func (l *Lock) clearByHand() error {
	held, err := l.dir.open(l.name)
	if err != nil {
		return err
	}
	defer held.Close()
	owner, generation := lastOwner(held)
	if owner != nil && owner.alive() {
		info, err := held.root.Stat(".")
		if err != nil {
			return held.fault("stat", ".", err)
		}
		return l.heldBy(&holder{since: info.ModTime(), owner: owner})
	}
	if generation == maxGeneration { // which nobody can follow, so this is no rival's
		file := ownerFile(generation)
		return cmp.Or(held.fault("remove", file, held.root.RemoveAll(file)), errTooLate)
	}
	if err := l.takeOver(held, generation); err != nil {
		return err
	}
	l.clearDebris()
	return l.giveBack()
}
