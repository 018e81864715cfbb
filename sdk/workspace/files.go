package workspace

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"sync"
)

// maxFolders bounds how many folders a reader keeps open. What it is to read may
// name files in any number of them, and a process may have only so many open.
const maxFolders = 64

// Files reads many files of a workspace by their paths from the root. It keeps
// the folders open that it meets first, so one of them is looked up once however
// many of its files are read. It is safe for concurrent use.
type Files struct {
	workspace *Workspace
	mu        sync.Mutex
	folders   map[string]*Dir
}

// Files returns a reader of the workspace's files. Close it after use.
func (w *Workspace) Files() *Files { return &Files{workspace: w, folders: map[string]*Dir{}} }

// Close releases the folders.
func (f *Files) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var errs []error
	for _, dir := range f.folders {
		errs = append(errs, dir.Close())
	}
	clear(f.folders)
	return errors.Join(errs...)
}

// Open opens a regular file for reading, by the rules of [Dir.Read].
func (f *Files) Open(name string) (file io.ReadCloser, err error) {
	if !fs.ValidPath(name) { // package path would take some others for a path
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	err = f.in(path.Dir(name), func(dir *Dir) error {
		opened, _, err := dir.openFile(path.Base(name))
		if err == nil { // else it is a nil file, which is no nil interface
			file = opened
		}
		return err
	})
	return file, err
}

// Names lists what a folder holds, sorted.
func (f *Files) Names(folder string) (names []string, err error) {
	err = f.in(folder, func(dir *Dir) error {
		names, err = dir.Names()
		return err
	})
	return names, err
}

// in gives a folder to use, open.
func (f *Files) in(name string, use func(*Dir) error) error {
	dir, kept, err := f.folder(name)
	if err != nil {
		return err
	}
	if !kept {
		defer dir.Close()
	}
	return use(dir)
}

// folder returns a folder and whether it is kept. One that is not is the
// caller's to close.
func (f *Files) folder(name string) (dir *Dir, kept bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if dir := f.folders[name]; dir != nil {
		return dir, true, nil
	}
	dir, err = f.workspace.OpenDir(name)
	if err != nil || len(f.folders) >= maxFolders {
		return dir, false, err
	}
	f.folders[name] = dir
	return dir, true, nil
}
