package workspace

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"strings"
)

// filePerm is the mode of every file that this package makes, from its creation
// and whatever the umask.
const filePerm = 0o600

// Replace gives the file name the content data, atomically: a reader sees the
// old or the new bytes, and so does everyone after a crash at any instant. When
// Replace returns without error the content is durable. The file's mode is 0600.
//
// A symlink at name is itself replaced. A directory, FIFO, socket or device is
// refused as a [*KindError].
//
// After an error the old file is as it was, the last step included, which makes
// the directory durable. For that the old file has a second name while it is
// replaced. Where it cannot have one, on a file system without hard links, the
// failure of that step leaves the new file in place, whole.
//
// The caller must hold the lock of the task that name belongs to: temporary
// files that other writers of the same name left behind are removed.
func (d *Dir) Replace(name string, data []byte) error {
	temp, err := d.createTemp(name, func(file *os.File) error {
		if _, err := file.Write(data); err != nil {
			return err
		}
		return file.Sync()
	})
	if err != nil {
		return err
	}
	old, err := d.keep(name)
	if err != nil {
		_ = d.root.Remove(temp)
		return err
	}
	if err := d.root.Rename(temp, name); err != nil {
		_ = d.root.Remove(temp)
		old.forget()
		return d.fault("rename", name, err)
	}
	if err := d.sync(); err != nil {
		return withUndo(err, old.putBack())
	}
	old.forget()
	return nil
}

// createTemp makes the temporary file that will become name, and returns what it
// is called.
func (d *Dir) createTemp(name string, fill func(*os.File) error) (string, error) {
	if !isElement(name) {
		return "", d.fault("create", name, fs.ErrInvalid)
	}
	d.sweep(name)
	temp := newTempName(name)
	return temp, d.create(temp, fill)
}

// create makes a new file with the content that fill writes, and removes it
// again when anything goes wrong.
func (d *Dir) create(name string, fill func(*os.File) error) error {
	file, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, filePerm)
	if err != nil {
		// What watches openings may refuse one when the file has been made already.
		if !errors.Is(err, fs.ErrExist) {
			_ = d.root.Remove(name)
		}
		return d.fault("create", name, err)
	}
	err = file.Chmod(filePerm) // a umask can only have taken from it
	if err == nil {
		err = fill(file)
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = d.root.Remove(name)
		return d.fault("write", name, err)
	}
	return nil
}

func tempPrefix(name string) string { return ".tmp." + name + "." }

func newTempName(name string) string { return tempPrefix(name) + rand.Text() }

// sweep removes the temporary files of name. What it cannot remove is no
// obstacle, so it reports nothing.
func (d *Dir) sweep(name string) {
	names, err := d.Names()
	if err != nil {
		return
	}
	for _, temp := range names {
		if !isTokenAfter(tempPrefix(name), temp) {
			continue
		}
		if info, err := d.lstat(temp); err == nil && info.Mode().IsRegular() {
			_ = d.root.Remove(temp)
		}
	}
}

// isTokenAfter reports whether name is prefix and a text as [rand.Text] makes
// them. The whole rest counts, so the names made for "A-1" never match those
// made for "A-1.x".
func isTokenAfter(prefix, name string) bool {
	token, ok := strings.CutPrefix(name, prefix)
	const tokenLength, alphabet = 26, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	return ok && len(token) == tokenLength && strings.Trim(token, alphabet) == ""
}
