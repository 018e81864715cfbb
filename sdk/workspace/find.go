package workspace

import (
	"errors"
	"os"
	"path/filepath"
)

// ErrNotInside says that a directory belongs to no workspace.
var ErrNotInside = errors.New("not inside a datarim workspace")

// Find returns the root of the workspace that dir lies in: the top level of the
// git work tree around dir if that is a workspace, else the nearest directory
// from dir upwards that is one, else [ErrNotInside]. A workspace has a directory
// datarim/ that holds tasks.md or backlog.md. If the only such directory is one
// that [Open] refuses, so does Find, as a [*RootError].
//
// It does not run git and heeds no GIT_ variable, so a hook that git started
// finds the same root as a person.
func Find(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	// As git does: a working directory behind a symlink counts where it really is.
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	if top, ok := nearest(dir, isTopLevel); ok && isRoot(top) {
		return top, nil
	}
	if root, ok := nearest(dir, isRoot); ok {
		return root, nil
	}
	if refused, ok := nearest(dir, isMarked); ok {
		return "", &RootError{Path: refused, Detail: insideDetail}
	}
	return "", ErrNotInside
}

// nearest returns the first directory from dir upwards, dir included, that is
// what is asked for.
func nearest(dir string, is func(string) bool) (string, bool) {
	for !is(dir) {
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
	return dir, true
}

// isTopLevel takes a .git of any kind: in a linked work tree it is a file.
func isTopLevel(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ".git"))
	return err == nil
}

func isRoot(dir string) bool { return isMarked(dir) && !insideFolder(dir) }

func isMarked(dir string) bool {
	for _, marker := range []string{"tasks.md", "backlog.md"} {
		info, err := os.Stat(filepath.Join(dir, Folder, marker))
		if err == nil && !info.IsDir() {
			return true
		}
	}
	return false
}
