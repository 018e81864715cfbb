package scaffold

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Write writes the files into a new folder in dir. A folder that exists must be
// empty, and nothing is overwritten; no symlink is followed at its name. When it
// fails, what it has made is removed.
func Write(dir, folder string, files []File) (err error) {
	parent, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer parent.Close()
	made, err := makeFolder(parent, folder)
	if err != nil {
		return err
	}
	root, err := openFolder(parent, folder)
	if err != nil {
		return err
	}
	defer root.Close()
	written := 0
	defer func() {
		if err == nil {
			return
		}
		for _, file := range files[:written] {
			_ = root.Remove(file.Name) // the first error is the one to report
		}
		if made {
			_ = parent.Remove(folder)
		}
	}()
	for _, file := range files {
		if err := create(root, file, &written); err != nil {
			return err
		}
	}
	return nil
}

// makeFolder makes the folder and reports whether it is new.
func makeFolder(parent *os.Root, folder string) (bool, error) {
	err := parent.Mkdir(folder, 0o755)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

// openFolder opens the folder itself, and not what a symlink of its name, or one
// that is put there meanwhile, leads to.
func openFolder(parent *os.Root, folder string) (*os.Root, error) {
	path := filepath.Join(parent.Name(), folder)
	info, err := parent.Lstat(folder)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s exists and is no folder", path)
	}
	root, err := parent.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	opened, err := root.Stat(".")
	if err == nil && !os.SameFile(info, opened) {
		err = fmt.Errorf("%s was replaced meanwhile", path)
	}
	var entries []fs.DirEntry
	if err == nil {
		entries, err = fs.ReadDir(root.FS(), ".")
	}
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s exists and is not empty", path)
	}
	if err != nil {
		_ = root.Close()
		return nil, err
	}
	return root, nil
}

// create writes a file that is not there yet, and counts it as soon as it is.
func create(root *os.Root, file File, written *int) error {
	out, err := root.OpenFile(file.Name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	*written++
	_, err = out.WriteString(file.Content)
	return errors.Join(err, out.Close())
}
