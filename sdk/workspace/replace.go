package workspace

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
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
// refused as a [*KindError]. After an error the old file is as it was, unless it
// was the last step that failed, making the directory durable: then the new file
// is in place, whole.
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
	err = d.replaceable(name)
	if err == nil {
		err = d.fault("rename", name, d.root.Rename(temp, name))
	}
	if err != nil {
		_ = d.root.Remove(temp)
		return err
	}
	return d.sync()
}

// replaceable says whether a rename onto name destroys no more than a file or a
// symlink.
func (d *Dir) replaceable(name string) error {
	info, err := d.lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if kind := kindOf(info.Mode()); kind != KindFile && kind != KindSymlink {
		return &KindError{Path: path.Join(d.path, name), Got: kind, Want: KindFile}
	}
	return nil
}

// createTemp makes the temporary file that will become name, and returns what it
// is called.
func (d *Dir) createTemp(name string, fill func(*os.File) error) (string, error) {
	if !isElement(name) {
		return "", d.fault("create", name, fs.ErrInvalid)
	}
	prefix := ".tmp." + name + "."
	d.sweep(prefix)
	temp := prefix + rand.Text()
	return temp, d.create(temp, fill)
}

// create makes a new file with the content that fill writes, and removes it
// again when anything goes wrong.
func (d *Dir) create(name string, fill func(*os.File) error) error {
	file, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, filePerm)
	if err != nil {
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

// sweep removes the files that are called prefix and a token. What it cannot
// remove is no obstacle, so it reports nothing.
func (d *Dir) sweep(prefix string) {
	names, err := d.Names()
	if err != nil {
		return
	}
	for _, name := range names {
		if !isTokenAfter(prefix, name) {
			continue
		}
		if info, err := d.lstat(name); err == nil && info.Mode().IsRegular() {
			_ = d.root.Remove(name)
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
