package workspace

import (
	"context"
	"errors"
	"fmt"
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
//
// A lock without an owner file, such as a script's, is never taken over.
//
// The lock orders what is done to files. It does not order the memory of
// goroutines that share a process.
type Lock struct {
	dir     *Dir   // datarim/snapshots
	name    string // ".lock.{TASK-ID}"
	owner   Owner
	release func() error
}

// LockTimeoutError says that another process holds a task's lock.
type LockTimeoutError struct {
	TaskID string
	Path   string        // of the lock, relative to the root, with forward slashes
	Age    time.Duration // since the lock was taken
	Owner  *Owner        // nil when there is no owner file that can be read
}

func (e *LockTimeoutError) Error() string {
	age := e.Age.Round(time.Millisecond)
	if e.Owner == nil {
		return fmt.Sprintf("lock %s was taken %s ago; it has no owner file that can be read", e.Path, age)
	}
	return fmt.Sprintf("lock %s was taken %s ago by process %d on host %q", e.Path, age, e.Owner.PID, e.Owner.Host)
}

// Hint says in one line what to do about it.
func (e *LockTimeoutError) Hint() string {
	if e.Owner != nil && e.Owner.local() {
		return fmt.Sprintf("process %d is at work on %s; try again when it has ended", e.Owner.PID, e.TaskID)
	}
	return fmt.Sprintf("if nothing writes %s any more, clear the lock: stagehook unlock --task %s", e.TaskID, e.TaskID)
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
	name := ".lock." + taskID
	// A dot would let one task's lock look like another's leftovers.
	if !isElement(name) || strings.Contains(taskID, ".") {
		return nil, &fs.PathError{Op: "lock", Path: path.Join(SnapshotFolder, name), Err: fs.ErrInvalid}
	}
	dir, err := w.MakeDir(SnapshotFolder, 0o700)
	if err != nil {
		return nil, err
	}
	lock := &Lock{dir: dir, name: name, owner: newOwner()}
	lock.release = sync.OnceValue(lock.giveBack)
	err = dir.restrict()
	if err == nil {
		err = lock.wait(ctx, taskID, timeout)
	}
	if err != nil {
		dir.Close()
		return nil, err
	}
	lock.clearDebris()
	return lock, nil
}

// Dir is datarim/snapshots, where the lock and the task's snapshot are. It is
// open until Release.
func (l *Lock) Dir() *Dir { return l.dir }

// Release gives the lock back. It removes a lock with our own token only: one
// that was cleared by hand meanwhile, and perhaps taken by another process, is
// an error and is left alone. A second call does nothing and returns the same.
func (l *Lock) Release() error { return l.release() }

func (l *Lock) wait(ctx context.Context, taskID string, timeout time.Duration) error {
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
			return &LockTimeoutError{
				TaskID: taskID,
				Path:   path.Join(l.dir.path, l.name),
				Age:    max(0, time.Since(holder.since)),
				Owner:  holder.owner,
			}
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

// try takes the lock if it is free or its owner is dead, and returns nil; else
// it returns who has it.
func (l *Lock) try() (*holder, error) {
	since := time.Now() // of a lock that comes or goes just now
	info, err := l.dir.lstat(l.name)
	if errors.Is(err, fs.ErrNotExist) {
		taken, err := l.take()
		if taken || err != nil {
			return nil, err
		}
		return &holder{since: since}, nil
	}
	if err != nil {
		return nil, err
	}
	held, err := l.dir.open(l.name)
	if _, other := errors.AsType[*KindError](err); other {
		return nil, err
	}
	if err != nil { // gone again, or another user's
		return &holder{since: info.ModTime()}, nil
	}
	defer held.Close()
	owner, generation := lastOwner(held)
	if owner != nil && owner.dead() {
		taken, err := l.takeOver(held, generation)
		if taken || err != nil {
			return nil, err
		}
	}
	return &holder{since: info.ModTime(), owner: owner}, nil
}
