package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"time"
)

// stagedName is where this lock's directory is made ready, and where it is moved
// to be taken apart. A crash can leave one behind; it holds up no one.
func (l *Lock) stagedName() string { return l.name + "." + l.owner.Token }

// take makes the lock, or reports that somebody else was faster.
func (l *Lock) take() (bool, error) {
	staged := l.stagedName()
	if err := l.dir.mkdir(staged, 0o700); err != nil {
		return false, err
	}
	err := l.stage(staged)
	if err == nil {
		err = renameExclusive(l.dir, staged, l.dir, l.name)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		err = l.takeInSteps(staged)
	}
	if err == nil {
		return true, nil
	}
	_ = l.dir.root.RemoveAll(staged)
	// Not there any more: a new holder has cleared it away as debris.
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return false, err
}

// stage puts the owner file into the staged directory.
func (l *Lock) stage(staged string) error {
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
// owner of the given generation is dead, or reports that somebody else was
// faster. See [Lock] for why this is safe.
func (l *Lock) takeOver(held *Dir, generation int) (bool, error) {
	file := ownerFile(generation + 1)
	// Not swept like other temporary files: those of rival takers are in use.
	temp := ".tmp." + l.owner.Token
	err := held.create(temp, l.owner.write)
	if err == nil {
		err = held.publish(temp, file)
	}
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	current, err := l.isCurrent(held)
	if !current {
		_ = held.root.Remove(file)
	}
	return current, err
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
	defer l.dir.Close()
	var owner *Owner
	held, err := l.dir.open(l.name)
	if err == nil {
		owner, _ = lastOwner(held)
		held.Close()
	}
	if owner == nil || owner.Token != l.owner.Token {
		return fmt.Errorf("lock %s is not ours any more", path.Join(l.dir.path, l.name))
	}
	// Away in one step, so that at no instant there is a lock without an owner.
	staged := l.stagedName()
	if err := l.dir.root.Rename(l.name, staged); err != nil {
		return l.dir.fault("rename", l.name, err)
	}
	_ = l.dir.root.RemoveAll(staged)
	return nil
}

// debrisAge is when a directory without an owner counts as left behind. A living
// taker writes the owner file, or removes the directory, within a few calls.
const debrisAge = time.Minute

// clearDebris removes what takers of this lock that were killed left behind.
// Should it hit a taker that was stopped for so long, that one holds nothing and
// tries again or fails.
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
	info, err := l.dir.lstat(name)
	if err != nil {
		return
	}
	dir, err := l.dir.open(name)
	if err != nil {
		return
	}
	owner, _ := lastOwner(dir)
	dir.Close()
	if owner == nil && time.Since(info.ModTime()) > debrisAge || owner != nil && owner.dead() {
		_ = l.dir.root.RemoveAll(name)
	}
}
