package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// folder is where the journal lies. A workspace always has it.
const folder = "datarim"

// maxTries bounds how often a name may change between being looked at and opened.
const maxTries = 100

var errSwapped = errors.New("keeps being replaced while it is opened")

// appendTo appends text to a file of the workspace by a single write. The file is
// made, for its owner only, when it is missing. Neither it nor its folder may be a
// link, or anything but a file and a folder; the check is made on what was opened,
// so that nobody can put a link there in between.
func appendTo(root, name string, text []byte) error {
	workspace, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer workspace.Close()
	dir, err := openFolder(workspace)
	if err != nil {
		return err
	}
	defer dir.Close()
	file, err := openFile(dir, name)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

func openFolder(workspace *os.Root) (*os.Root, error) {
	seen, err := workspace.Lstat(folder)
	if err != nil {
		return nil, err
	}
	// The dot makes the system insist on a directory: a FIFO would be waited for.
	dir, err := workspace.OpenRoot(folder + "/.")
	if err != nil {
		return nil, err
	}
	opened, err := dir.Stat(".")
	if err == nil && !os.SameFile(seen, opened) {
		err = fmt.Errorf("%s: is a link, or was replaced meanwhile", folder)
	}
	if err != nil {
		dir.Close()
		return nil, err
	}
	return dir, nil
}

func openFile(dir *os.Root, name string) (*os.File, error) {
	// Without O_NONBLOCK a FIFO would be waited for.
	const flags = os.O_WRONLY | os.O_APPEND | syscall.O_NONBLOCK
	for range maxTries {
		seen, err := dir.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			file, err := dir.OpenFile(name, flags|os.O_CREATE|os.O_EXCL, 0o600)
			if errors.Is(err, fs.ErrExist) {
				continue // somebody else was faster
			}
			return file, err
		}
		if err != nil {
			return nil, err
		}
		if !seen.Mode().IsRegular() {
			return nil, fmt.Errorf("%s/%s: is no regular file", folder, name)
		}
		file, err := dir.OpenFile(name, flags, 0)
		if err != nil {
			return nil, err
		}
		if opened, err := file.Stat(); err == nil && os.SameFile(seen, opened) {
			return file, nil
		}
		_ = file.Close() // nothing was written
	}
	return nil, fmt.Errorf("%s/%s: %w", folder, name, errSwapped)
}
