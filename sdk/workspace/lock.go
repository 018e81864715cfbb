package workspace

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"path"
	"strings"
	"sync"
	"time"
)

// SnapshotFolder is the directory of a workspace, as a path from its root, that
// holds the snapshots and the tasks' locks.
const SnapshotFolder = Folder + "/snapshots"

// Waiting for a lock polls, since a lock that is a directory tells no one when
// it goes. The pauses grow from the first to the last and are jittered, so that
// waiters do not keep meeting.
const (
	firstPause = 2 * time.Millisecond
	lastPause  = 50 * time.Millisecond
)

// Lock is the lock of one task: the directory ".lock.{TASK-ID}" in
// datarim/snapshots. A shell script that makes the same directory with mkdir and
// removes it with rmdir excludes this package and is excluded by it.
//
// A lock appears with an owner file in it, from one rename that refuses to
// replace; only on file systems without such a rename is the directory made
// first and given its owner file next.
//
// A lock whose owner is certainly dead, on this host since this boot, is taken
// over. No two processes ever hold it, whatever their number and however long
// each is stopped between two steps, because:
//
//  1. The holder is the owner of the highest generation in the directory.
//  2. The next generation's file is put into that directory through an open
//     handle, so never into a newer lock, by a call that fails if the file
//     exists, and only by a process that has seen the last owner dead. Dead is
//     for ever. So of all takers one gets the file, and none while a holder
//     lives.
//  3. Only the living holder gives a lock back, by renaming the directory away
//     as a whole. Its files go after that. A taker who got a file into a
//     directory that was given back meanwhile sees that the lock's name is not
//     that directory, and has nothing.
//  4. Every new holder removes all directories beside the lock that others have
//     made ready for it or moved away, so a killed process leaves nothing for
//     longer. None of them can become the lock meanwhile, since the rename
//     refuses, nor later, since each is moved away before it is emptied. A
//     living maker finds its directory gone, has nothing and tries again.
//
// A lock without an owner file, such as a script's, is never taken over by Lock;
// nor is one whose last owner file cannot be read or names an impossible owner.
// [Workspace.Unlock] clears it, by the same steps.
//
// The lock orders what is done to files. It does not order the memory of
// goroutines that share a process.
type Lock struct {
	dir     *Dir   // datarim/snapshots
	name    string // ".lock.{TASK-ID}"
	owner   Owner
	release func() error
}

// Lock takes the lock of a task, and waits for it as long as timeout: then it
// fails with a [*LockTimeoutError]. With a timeout of 0 it tries once. When ctx
// ends it returns ctx.Err() at once. Anything that is not another holder, such
// as a directory that cannot be written or a file at the lock's name, is an
// error at once.
//
// It makes datarim/snapshots when it is missing, and takes the access of group
// and others away from it. The task ID must have passed the grammar.
func (w *Workspace) Lock(ctx context.Context, taskID string, timeout time.Duration) (*Lock, error) {
	name, err := lockName(taskID)
	if err != nil {
		return nil, err
	}
	dir, err := w.MakeDir(SnapshotFolder, 0o700)
	if err != nil {
		return nil, err
	}
	lock := &Lock{dir: dir, name: name, owner: newOwner()}
	lock.release = sync.OnceValue(func() error {
		defer dir.Close()
		return lock.giveBack()
	})
	err = dir.restrict()
	if err == nil {
		err = lock.wait(ctx, timeout)
	}
	if err != nil {
		dir.Close()
		return nil, err
	}
	lock.clearDebris()
	return lock, nil
}

const lockPrefix = ".lock."

func lockName(taskID string) (string, error) {
	name := lockPrefix + taskID
	// A dot would let one task's lock look like another's leftovers.
	if !isElement(name) || strings.Contains(taskID, ".") {
		return "", &fs.PathError{Op: "lock", Path: path.Join(SnapshotFolder, name), Err: fs.ErrInvalid}
	}
	return name, nil
}

// Dir is datarim/snapshots, where the lock and the task's snapshot are. It is
// open until Release.
func (l *Lock) Dir() *Dir { return l.dir }

// Release gives the lock back. It removes a lock with our own token only: one
// that was cleared by hand meanwhile, and perhaps taken by another process, is
// an error and is left alone. A second call does nothing and returns the same.
func (l *Lock) Release() error { return l.release() }

func (l *Lock) wait(ctx context.Context, timeout time.Duration) error {
	deadline := time.Now().Add(timeout)
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		if err := ctx.Err(); err != nil {
			return err
		}
		holder, err := l.try()
		if err != nil || holder == nil {
			return err
		}
		left := time.Until(deadline)
		if left <= 0 {
			return l.heldBy(holder)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(min(left, firstPause+rand.N(pause-firstPause+1))):
		}
	}
}

// holder is what a try learns of the process that has the lock.
type holder struct {
	since time.Time
	owner *Owner // nil when unknown
}

func (l *Lock) heldBy(h *holder) error {
	return &LockTimeoutError{
		TaskID: strings.TrimPrefix(l.name, lockPrefix),
		Path:   path.Join(l.dir.path, l.name),
		Age:    max(0, time.Since(h.since)),
		Owner:  h.owner,
	}
}

// errTooLate says that somebody else was faster.
var errTooLate = errors.New("somebody else was faster")

// try takes the lock if it is free or its owner is dead, and returns nil; else
// it returns who has it.
func (l *Lock) try() (*holder, error) {
	for range maxSwaps {
		found, err := l.attempt()
		if err != errTooLate {
			return found, err
		}
	}
	return nil, l.dir.fault("lock", l.name, errSwapped)
}

// attempt is try, but that it fails with errTooLate where the lock has changed
// hands under it.
func (l *Lock) attempt() (*holder, error) {
	info, err := l.dir.lstat(l.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, l.take()
	}
	if err != nil {
		return nil, err
	}
	found := &holder{since: info.ModTime()}
	held, err := l.dir.open(l.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errTooLate
	case errors.Is(err, fs.ErrPermission), errors.Is(err, errSwapped): // another user's, or in great demand
		return found, nil
	case err != nil:
		return nil, err
	}
	defer held.Close()
	owner, generation := lastOwner(held)
	found.owner = owner
	if owner == nil || !owner.dead() || generation == maxGeneration {
		return found, nil
	}
	return nil, l.takeOver(held, generation)
}
