package workspace

import (
	"errors"
	"io"
	"path"
	"sync"
)

// Files reads many files of a workspace by their paths from the root. It keeps
// the folders open that it has met, so a folder is looked up once however many of
// its files are read. It is safe for concurrent use.
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
func (f *Files) Open(name string) (io.ReadCloser, error) {
	dir, err := f.folder(path.Dir(name))
	if err != nil {
		return nil, err
	}
	file, _, err := dir.openFile(path.Base(name))
	if err != nil {
		return nil, err // not a nil file in the interface
	}
	return file, nil
}

// Names lists what a folder holds, sorted.
func (f *Files) Names(folder string) ([]string, error) {
	dir, err := f.folder(folder)
	if err != nil {
		return nil, err
	}
	return dir.Names()
}

func (f *Files) folder(name string) (*Dir, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if dir := f.folders[name]; dir != nil {
		return dir, nil
	}
	dir, err := f.workspace.OpenDir(name)
	if err == nil {
		f.folders[name] = dir
	}
	return dir, err
}
