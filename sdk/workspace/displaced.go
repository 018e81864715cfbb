package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// displaced is what a new file takes the place of.
type displaced struct {
	dir  *Dir
	name string
	file bool   // whether it is a regular file; else it is a symlink, or nothing
	kept string // the file's second name, "" where it has none
}

// keep gives the file name a second name, if it can, and refuses what a rename
// onto name must not destroy. The second name is one of a temporary file, so that
// the next writer sweeps it.
func (d *Dir) keep(name string) (*displaced, error) {
	old := &displaced{dir: d, name: name}
	info, err := d.lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return old, nil
	}
	if err != nil {
		return nil, err
	}
	switch kind := kindOf(info.Mode()); kind {
	case KindSymlink:
		return old, nil
	case KindFile:
	default:
		return nil, &KindError{Path: path.Join(d.path, name), Got: kind, Want: KindFile}
	}
	old.file = true
	// A link neither follows nor replaces what is at either name.
	if kept := newTempName(name); d.root.Link(name, kept) == nil {
		old.kept = kept
	}
	return old, nil
}

// putBack puts what was displaced in the place of what displaced it. A symlink
// is not put back: it was to go.
func (o *displaced) putBack() error {
	switch {
	case o.kept != "":
		return o.dir.fault("rename", o.name, o.dir.root.Rename(o.kept, o.name))
	case !o.file:
		return o.dir.fault("remove", o.name, o.dir.root.Remove(o.name))
	}
	return nil
}

// forget takes the second name away.
func (o *displaced) forget() {
	if o.kept != "" {
		_ = o.dir.root.Remove(o.kept)
	}
}

// withUndo returns the error err of a step, with the error of undoing the steps
// before it, if that failed too.
func withUndo(err, undo error) error {
	if undo == nil {
		return err
	}
	return fmt.Errorf("%w; going back failed too: %w", err, undo)
}
