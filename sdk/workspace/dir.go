package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// maxSwaps bounds how often a name may be found replaced between being looked
// at and being opened. A writer that replaces it in a loop hits that window
// rarely, let alone so many times in a row.
const maxSwaps = 100

var errSwapped = errors.New("keeps being replaced while it is opened")

// Dir is an open directory of a workspace. It stays that very directory when
// its path is renamed or replaced. The names its methods take are single
// elements. It is safe for concurrent use.
type Dir struct {
	root *os.Root
	path string // from the workspace's root; "." for the root itself
}

// OpenDir opens a directory by its path from the root, "." for the root itself.
// Every element must be a real directory: a symlink is refused like anything
// else, as a [*KindError] that names it, and a missing one is [fs.ErrNotExist].
func (w *Workspace) OpenDir(name string) (*Dir, error) {
	return w.walk(name, (*Dir).open)
}

// MakeDir is OpenDir that makes the elements that are missing, with the
// permissions perm whatever the umask. Those that exist keep their permissions.
func (w *Workspace) MakeDir(name string, perm fs.FileMode) (*Dir, error) {
	return w.walk(name, func(parent *Dir, element string) (*Dir, error) {
		dir, err := parent.open(element)
		if !errors.Is(err, fs.ErrNotExist) {
			return dir, err
		}
		err = parent.mkdir(element, perm)
		if err == nil {
			// What is made below must not be lost with the directory it is in.
			err = parent.sync()
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		return parent.open(element)
	})
}

// walk opens the elements of name one after another, each by step.
func (w *Workspace) walk(name string, step func(*Dir, string) (*Dir, error)) (*Dir, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	root, err := w.root.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	dir := &Dir{root: root, path: "."}
	if name == "." {
		return dir, nil
	}
	for element := range strings.SplitSeq(name, "/") {
		next, err := step(dir, element)
		dir.Close()
		if err != nil {
			return nil, err
		}
		dir = next
	}
	return dir, nil
}

// Close releases the directory.
func (d *Dir) Close() error { return d.root.Close() }

// Names lists what the directory holds, sorted, whatever it is.
func (d *Dir) Names() ([]string, error) {
	file, err := d.root.Open(".")
	if err != nil {
		return nil, d.fault("open", ".", err)
	}
	defer file.Close()
	names, err := file.Readdirnames(-1)
	if err != nil {
		return nil, d.fault("list", ".", err)
	}
	slices.Sort(names)
	return names, nil
}

// open opens the directory name in d. os.Root would follow a symlink that stays
// inside, so what was opened is compared with what is there.
func (d *Dir) open(name string) (*Dir, error) {
	for range maxSwaps {
		seen, err := d.lstat(name)
		if err != nil {
			return nil, err
		}
		if kind := kindOf(seen.Mode()); kind != KindDirectory {
			return nil, &KindError{Path: path.Join(d.path, name), Got: kind, Want: KindDirectory}
		}
		// The dot makes the system insist on a directory: a FIFO that took the
		// place of one would otherwise block.
		root, err := d.root.OpenRoot(name + "/.")
		if err != nil {
			return nil, d.fault("open", name, err)
		}
		opened, err := root.Stat(".")
		if err == nil && os.SameFile(seen, opened) {
			return &Dir{root: root, path: path.Join(d.path, name)}, nil
		}
		root.Close()
	}
	return nil, d.fault("open", name, errSwapped)
}

// mkdir makes a directory with exactly these permissions; [fs.ErrExist] when
// the name is taken.
func (d *Dir) mkdir(name string, perm fs.FileMode) error {
	if err := d.root.Mkdir(name, perm); err != nil {
		return d.fault("mkdir", name, err)
	}
	err := d.permit(name, perm)
	if err != nil {
		_ = d.root.Remove(name)
	}
	return err
}

// permit gives a directory that was just made the permissions that a umask may
// have taken from it.
func (d *Dir) permit(name string, perm fs.FileMode) error {
	info, err := d.lstat(name)
	if err == nil && info.Mode().Perm() != perm {
		// By name, since a umask can leave a directory that its owner cannot open.
		err = d.fault("chmod", name, d.root.Chmod(name, perm))
	}
	return err
}

// restrict takes the access of group and others away. It grants nothing: a
// directory that its owner made read-only stays so.
func (d *Dir) restrict() error {
	if runtime.GOOS == "windows" { // whose modes say nothing of group and others
		return nil
	}
	file, err := d.root.Open(".")
	if err != nil {
		return d.fault("open", ".", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = file.Chmod(info.Mode().Perm() & 0o700)
	}
	return d.fault("chmod", ".", err)
}

// sync makes the directory's entries durable, where the file system can.
func (d *Dir) sync() error {
	if runtime.GOOS == "windows" { // which has no such call for a directory
		return nil
	}
	file, err := d.root.Open(".")
	if err != nil {
		return d.fault("open", ".", err)
	}
	defer file.Close()
	err = file.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return d.fault("sync", ".", err)
}

func (d *Dir) lstat(name string) (fs.FileInfo, error) {
	if !isElement(name) {
		return nil, d.fault("open", name, fs.ErrInvalid)
	}
	info, err := d.root.Lstat(name)
	return info, d.fault("open", name, err)
}

// isElement reports whether name is one element of a path, so that it cannot
// lead to another directory.
func isElement(name string) bool {
	return fs.ValidPath(name) && name != "." && !strings.ContainsAny(name, "/"+string(filepath.Separator))
}

// fault restates an error of a call on name with the path from the root; nil
// stays nil.
func (d *Dir) fault(op, name string, err error) error {
	if err == nil {
		return nil
	}
	if cause, ok := errors.AsType[*fs.PathError](err); ok {
		err = cause.Err
	} else if cause, ok := errors.AsType[*os.LinkError](err); ok {
		err = cause.Err
	}
	return &fs.PathError{Op: op, Path: path.Join(d.path, name), Err: err}
}
