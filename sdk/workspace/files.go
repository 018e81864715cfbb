package workspace

import (
	"errors"
	"io"
	"io/fs"
	"os"
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
	seen      map[string]os.FileInfo // what was opened or listed; nil for what was missing
}

// Files returns a reader of the workspace's files. Close it after use.
func (w *Workspace) Files() *Files {
	return &Files{workspace: w, folders: map[string]*Dir{}, seen: map[string]os.FileInfo{}}
}

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
	var info os.FileInfo
	err = f.in(path.Dir(name), func(dir *Dir) error {
		opened, found, err := dir.openFile(path.Base(name))
		if err == nil { // else it is a nil file, which is no nil interface
			file, info = opened, found
		}
		return err
	})
	f.saw(name, info, err)
	return file, err
}

// Names lists what a folder holds, sorted.
func (f *Files) Names(folder string) (names []string, err error) {
	var info os.FileInfo
	err = f.in(folder, func(dir *Dir) error {
		if info, err = dir.root.Stat("."); err != nil {
			return err
		}
		names, err = dir.Names()
		return err
	})
	f.saw(folder, info, err)
	return names, err
}

// saw notes what was found, or that there was nothing.
func (f *Files) saw(name string, info os.FileInfo, err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen[name] = info
}

// Changed returns one of the files and folders that were opened or listed since
// the last call which is not as it was then: another file, of another size or
// time, or missing, or no longer missing. It returns nothing when what was read
// belongs together. What is read next is looked up anew.
func (f *Files) Changed() (name string) {
	f.mu.Lock()
	seen := f.seen
	f.seen = map[string]os.FileInfo{}
	f.mu.Unlock()
	_ = f.Close() // only of folders
	now := f.workspace.Files()
	defer now.Close()
	for name, was := range seen {
		if !same(was, now.stat(name)) {
			return name
		}
	}
	return ""
}

// stat returns what is there, nil when there is nothing that could be looked at.
func (f *Files) stat(name string) (info os.FileInfo) {
	_ = f.in(path.Dir(name), func(dir *Dir) (err error) {
		info, err = dir.lstat(path.Base(name))
		return err
	})
	return info
}

func same(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
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
	if !fs.ValidPath(name) {
		return nil, false, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.lookUp(name)
}

// lookUp opens a folder below its parent, which is kept like any other: folders
// that hang together are met as one, though their parent be exchanged meanwhile.
func (f *Files) lookUp(name string) (dir *Dir, kept bool, err error) {
	if dir := f.folders[name]; dir != nil {
		return dir, true, nil
	}
	if name == "." {
		dir, err = f.workspace.OpenDir(name)
	} else {
		var parent *Dir
		if parent, kept, err = f.lookUp(path.Dir(name)); err != nil {
			return nil, false, err
		}
		dir, err = parent.open(path.Base(name))
		if !kept {
			parent.Close()
		}
	}
	if err != nil || len(f.folders) >= maxFolders {
		return dir, false, err
	}
	f.folders[name] = dir
	return dir, true, nil
}
