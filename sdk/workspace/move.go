package workspace

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"syscall"
)

// ExistsError says that the target of a move is taken by something else.
type ExistsError struct {
	Path string // of the target, relative to the root, with forward slashes
}

func (e *ExistsError) Error() string { return e.Path + " exists with other content" }

// Is makes the error one of [fs.ErrExist].
func (e *ExistsError) Is(target error) bool { return target == fs.ErrExist }

// Move moves the regular file name to toName in the directory to, byte for byte
// and with mode 0600, and replaces nothing. A target that is a regular file with
// the same bytes counts as moved, and gets that mode; anything else there is an
// [*ExistsError]. After a crash at any instant at least one whole copy exists and
// a second Move finishes.
//
// Where a rename is not possible, as between file systems, the file is copied.
//
// After an error both names are as they were. There is one exception: where the
// file was copied, or was there already, and making the removal of the source
// durable fails, which is the last step, the source is gone and the target stays.
//
// The caller must hold the lock of the task that both names belong to: a move that
// succeeds removes the temporary files that other writers of these names left
// behind.
func (d *Dir) Move(name string, to *Dir, toName string) error {
	if !isElement(toName) {
		return to.fault("move", toName, fs.ErrInvalid)
	}
	source, info, err := d.openFile(name)
	if err != nil {
		return err
	}
	defer source.Close()

	// First, since a file that is not ours to change is not ours to move either.
	if err := source.Chmod(filePerm); err != nil {
		return d.fault("chmod", name, err)
	}
	err = renameExclusive(d, name, to, toName)
	switch {
	case err == nil:
		err = d.settle(source, name, to, toName)
	case errors.Is(err, fs.ErrExist), errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.EXDEV):
		err = d.moveByCopy(source, name, to, toName)
	}
	if err != nil {
		_ = source.Chmod(info.Mode())
		return err
	}
	// Last, since it lists the folders, and a caller may try many names.
	d.sweep(name)
	to.sweep(toName)
	return nil
}

// settle makes a rename durable, or goes back if it cannot, or if what was moved
// is not source: somebody has replaced the name after it was opened.
func (d *Dir) settle(source *os.File, name string, to *Dir, toName string) error {
	err := to.checkIs(toName, source)
	if err == nil {
		err = to.sync()
	}
	if err == nil {
		err = d.sync()
	}
	if err == nil {
		return nil
	}
	return withUndo(err, renameExclusive(to, toName, d, name))
}

// checkIs returns an error unless file is what is at name.
func (d *Dir) checkIs(name string, file *os.File) error {
	wanted, err := file.Stat()
	if err != nil {
		return d.fault("stat", name, err)
	}
	found, err := d.lstat(name)
	if err == nil && !os.SameFile(wanted, found) {
		err = d.fault("move", name, errSwapped)
	}
	return err
}

// moveByCopy copies source, unless the target has its bytes already, and removes
// it.
func (d *Dir) moveByCopy(source *os.File, name string, to *Dir, toName string) error {
	err := to.copyExclusive(source, toName)
	copied := err == nil
	if errors.Is(err, fs.ErrExist) {
		err = to.checkEqual(toName, d, source)
	}
	// The copy is durable before the source goes.
	if err == nil {
		err = to.sync()
	}
	if err == nil {
		err = d.checkIs(name, source)
	}
	if err == nil {
		err = d.fault("remove", name, d.root.Remove(name))
	}
	if err == nil {
		return d.sync()
	}
	if copied && d.checkIs(name, source) == nil { // never the last copy
		_ = to.root.Remove(toName)
	}
	return err
}

// copyExclusive makes the file name a copy of source, or fails with
// [fs.ErrExist].
func (d *Dir) copyExclusive(source *os.File, name string) error {
	// Asked first, since a full disk must not keep a second run from finishing.
	if _, err := d.lstat(name); err == nil {
		return d.fault("create", name, fs.ErrExist)
	}
	temp, err := d.createTemp(name, func(file *os.File) error {
		if _, err := io.Copy(file, source); err != nil {
			return err
		}
		return file.Sync()
	})
	if err != nil {
		return err
	}
	return d.publish(temp, name)
}

// publish gives a temporary file its name, unless that is taken: then it fails
// with [fs.ErrExist]. The temporary name is gone in either case.
func (d *Dir) publish(temp, name string) error {
	err := renameExclusive(d, temp, d, name)
	if err == nil {
		return nil
	}
	if errors.Is(err, errors.ErrUnsupported) {
		err = d.fault("link", name, d.root.Link(temp, name))
	}
	_ = d.root.Remove(temp)
	return err
}

// checkEqual returns an [*ExistsError] unless name is a regular file with the
// bytes of source, a file of the directory from. If it is, it gets the mode of a
// file that was moved and is made durable, whoever made it.
func (d *Dir) checkEqual(name string, from *Dir, source *os.File) error {
	taken := &ExistsError{Path: path.Join(d.path, name)}
	target, info, err := d.openFile(name)
	if _, other := errors.AsType[*KindError](err); other {
		return taken
	}
	if err != nil {
		return err
	}
	defer target.Close()
	wanted, err := source.Stat()
	if err != nil {
		return d.fault("stat", name, err)
	}
	if info.Size() != wanted.Size() {
		return taken
	}
	// In one directory, the same file may be one name in two spellings, and then
	// removing the source would remove the last copy.
	if os.SameFile(info, wanted) && d.path == from.path {
		return taken
	}
	if _, err := source.Seek(0, io.SeekStart); err != nil {
		return d.fault("seek", name, err)
	}
	equal, err := sameBytes(source, target)
	if err != nil {
		return d.fault("compare", name, err)
	}
	if !equal {
		return taken
	}
	if err := target.Chmod(filePerm); err != nil {
		return d.fault("chmod", name, err)
	}
	if runtime.GOOS == "windows" { // where it takes a file that is open for writing
		return nil
	}
	return d.fault("sync", name, target.Sync())
}

func sameBytes(a, b io.Reader) (bool, error) {
	var blockA, blockB [32 << 10]byte
	for {
		lenA, errA := io.ReadFull(a, blockA[:])
		lenB, errB := io.ReadFull(b, blockB[:])
		if !bytes.Equal(blockA[:lenA], blockB[:lenB]) {
			return false, nil
		}
		for _, err := range []error{errA, errB} {
			if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
				return false, err
			}
		}
		if errA != nil || errB != nil {
			return errA != nil && errB != nil, nil
		}
	}
}
