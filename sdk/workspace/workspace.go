package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Folder is the directory below a root that makes it a workspace. A root never
// is or lies inside a directory of that name.
const Folder = "datarim"

// Workspace is an open workspace. It is safe for concurrent use.
type Workspace struct {
	root *os.Root
	path string
}

// RootError says that a directory cannot be the root of a workspace.
type RootError struct {
	Path   string // absolute, or as it was given
	Detail string // what is wrong with it
	Err    error  // the cause, nil when the directory itself is refused
}

func (e *RootError) Error() string { return "root " + e.Path + " " + e.Detail }

// Unwrap returns the cause.
func (e *RootError) Unwrap() error { return e.Err }

// Open opens the workspace whose root is the directory root. It needs no marker
// file there. A root that is no directory, or that is or lies inside a
// directory named "datarim", before or after its symlinks are resolved, is
// refused as a [*RootError]; so is a missing one, which is also [fs.ErrNotExist].
func Open(root string) (*Workspace, error) {
	if root == "" {
		return nil, &RootError{Path: `""`, Detail: "is empty"}
	}
	given, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(given)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &RootError{Path: given, Detail: "does not exist", Err: err}
	}
	if err != nil {
		return nil, err
	}
	resolved, err := filepath.EvalSymlinks(given)
	if err != nil {
		return nil, err
	}
	if insideFolder(given) || insideFolder(resolved) {
		return nil, &RootError{Path: given, Detail: insideDetail}
	}
	if !info.IsDir() {
		return nil, &RootError{Path: given, Detail: "is not a directory"}
	}
	// With the dot, a FIFO that took its place is an error and not waited for.
	handle, err := os.OpenRoot(resolved + "/.")
	if err != nil {
		return nil, err
	}
	return &Workspace{root: handle, path: resolved}, nil
}

const insideDetail = "is or lies inside a directory named " + Folder + "; name its parent"

func insideFolder(path string) bool {
	return slices.Contains(strings.Split(filepath.ToSlash(path), "/"), Folder)
}

// Close releases the workspace. Directories and locks taken from it stay usable.
func (w *Workspace) Close() error { return w.root.Close() }

// Root returns the absolute path of the root, without symlinks.
func (w *Workspace) Root() string { return w.path }

// Read is [Dir.Read] on a path from the root.
func (w *Workspace) Read(name string, limit int64) ([]byte, fs.FileInfo, error) {
	dir, err := w.openParent(name)
	if err != nil {
		return nil, nil, err
	}
	defer dir.Close()
	return dir.Read(path.Base(name), limit)
}

// Exists reports whether there is anything at name, a path from the root; a
// symlink is something, wherever it points. A directory on the way that is none
// is a [*KindError], a missing one means no.
func (w *Workspace) Exists(name string) (bool, error) {
	dir, err := w.openParent(name)
	if err == nil {
		defer dir.Close()
		_, err = dir.lstat(path.Base(name))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (w *Workspace) openParent(name string) (*Dir, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	return w.OpenDir(path.Dir(name))
}
