package workspace

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"syscall"
)

// stagedName is where this lock's directory is made ready, and where it is moved
// to be taken apart. A crash can leave one behind; it holds up no one.
func (l *Lock) stagedName() string { return l.name + "." + l.owner.Token }

// take makes the lock, or fails with errTooLate.
func (l *Lock) take() error {
	staged := l.stagedName()
	if err := l.dir.root.Mkdir(staged, 0o700); err != nil {
		return l.dir.fault("mkdir", staged, err)
	}
	err := l.stage(staged)
	if err == nil {
		err = renameExclusive(l.dir, staged, l.dir, l.name)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		err = l.takeInSteps(staged)
	}
	if err == nil {
		return nil
	}
	_ = l.dir.root.RemoveAll(staged)
	return orTooLate(err)
}

// orTooLate tells apart why a step failed. What was to be made is there already:
// somebody made it. What it was to be made of is gone: a new holder has cleared
// it away.
func orTooLate(err error) error {
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return errTooLate
	}
	return err
}

// stage puts the owner file into the staged directory.
func (l *Lock) stage(staged string) error {
	if err := l.dir.permit(staged, 0o700); err != nil {
		return err
	}
	dir, err := l.dir.open(staged)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.create(ownerFile(0), l.owner.write)
}

// takeInSteps makes the lock with mkdir and moves the owner file in next. A
// process that is killed between the two leaves a lock without an owner.
func (l *Lock) takeInSteps(staged string) error {
	if err := l.dir.mkdir(l.name, 0o700); err != nil {
		return err
	}
	file := ownerFile(0)
	if err := l.dir.root.Rename(staged+"/"+file, l.name+"/"+file); err != nil {
		_ = l.dir.root.Remove(l.name)
		return l.dir.fault("rename", l.name+"/"+file, err)
	}
	_ = l.dir.root.Remove(staged)
	return nil
}

// takeOver makes this process the next owner of the lock directory held, whose
// owner of the given generation is dead, or fails with errTooLate. See [Lock] for
// why this is safe.
func (l *Lock) takeOver(held *Dir, generation int) error {
	file := ownerFile(generation + 1)
	// Not swept like other temporary files: those of rival takers are in use.
	temp := ".tmp." + l.owner.Token
	err := held.create(temp, l.owner.write)
	if err == nil {
		err = held.publish(temp, file)
	}
	if err != nil {
		return orTooLate(err)
	}
	current, err := l.isCurrent(held)
	if current {
		return nil
	}
	_ = held.root.Remove(file)
	return cmp.Or(err, errTooLate)
}

// isCurrent reports whether the lock's name is the directory held.
func (l *Lock) isCurrent(held *Dir) (bool, error) {
	opened, err := held.root.Stat(".")
	if err != nil {
		return false, held.fault("stat", ".", err)
	}
	named, err := l.dir.lstat(l.name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(opened, named), err
}

// giveBack removes the lock if it is ours.
func (l *Lock) giveBack() error {
	notOurs := fmt.Errorf("lock %s is not ours any more", path.Join(l.dir.path, l.name))
	held, err := l.dir.open(l.name)
	if errors.Is(err, fs.ErrNotExist) {
		return notOurs
	}
	if err != nil {
		return err
	}
	defer held.Close()
	if owner, _ := lastOwner(held); owner == nil || owner.Token != l.owner.Token {
		return notOurs
	}
	ours, err := held.root.Stat(".")
	if err != nil {
		return held.fault("stat", ".", err)
	}
	// Away in one step, so that at no instant there is a lock without an owner.
	staged := l.stagedName()
	err = l.dir.root.Rename(l.name, staged)
	switch {
	case errors.Is(err, syscall.EXDEV): // a directory of a lower layer of an overlay
		return l.dir.fault("remove", l.name, l.dir.root.RemoveAll(l.name))
	case err != nil:
		return l.dir.fault("rename", l.name, err)
	}
	// A new holder may have cleared it away by now. Is it still there, and another,
	// then ours was cleared by hand a moment ago, and this is somebody else's.
	if moved, err := l.dir.lstat(staged); err == nil && !os.SameFile(ours, moved) {
		return withUndo(notOurs, renameExclusive(l.dir, staged, l.dir, l.name))
	}
	_ = l.dir.root.RemoveAll(staged)
	return nil
}

// clearDebris removes the directories that other takers of this lock have made
// ready or moved away, whether those were killed or are at work. Only the holder
// calls it. What it cannot remove is no obstacle, so it reports nothing.
func (l *Lock) clearDebris() {
	names, err := l.dir.Names()
	if err != nil {
		return
	}
	for _, name := range names {
		if isTokenAfter(l.name+".", name) {
			l.clear(name)
		}
	}
}

func (l *Lock) clear(name string) {
	if info, err := l.dir.lstat(name); err != nil || !info.IsDir() {
		return
	}
	// Away first, so that its maker cannot make a lock of it when the owner file
	// is gone already.
	moved := l.name + "." + rand.Text()
	if err := l.dir.root.Rename(name, moved); err != nil {
		return
	}
	// Again, since its maker may put the owner file in while it is being emptied.
	if err := l.dir.root.RemoveAll(moved); err != nil {
		_ = l.dir.root.RemoveAll(moved)
	}
}
