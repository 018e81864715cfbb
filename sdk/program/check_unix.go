//go:build unix

package program

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxLinks is how many links a path may lead through, as on Linux.
const maxLinks = 40

func check(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil
	}
	at, links := "/", 0
	sticky, err := checkFolder(at)
	rest := elements(path)
	for err == nil && len(rest) > 0 {
		name := rest[0]
		rest = rest[1:]
		if name == ".." { // of a link's target
			at = filepath.Dir(at)
			sticky, err = checkFolder(at)
			continue
		}
		next := filepath.Join(at, name)
		info, lookErr := os.Lstat(next)
		switch {
		case lookErr != nil:
			return nil
		case info.Mode()&fs.ModeSymlink != 0:
			target, lookErr := os.Readlink(next)
			if links++; lookErr != nil || links > maxLinks {
				return nil
			}
			if sticky {
				err = checkOwner(next, info)
			}
			if filepath.IsAbs(target) {
				at = "/"
			}
			rest = append(elements(target), rest...)
		case len(rest) > 0:
			at = next
			sticky, err = checkFolder(at)
		default:
			err = checkProgram(next, info)
		}
	}
	return err
}

func elements(path string) []string {
	return strings.FieldsFunc(filepath.ToSlash(filepath.Clean(path)), func(r rune) bool { return r == '/' })
}

// checkFolder also tells whether every user may make files in the folder, but
// change only their own.
func checkFolder(path string) (sticky bool, err error) {
	info, err := os.Lstat(path)
	switch {
	case err != nil || info.Mode().Perm()&0o002 == 0:
		return false, nil
	case info.Mode()&fs.ModeSticky != 0:
		return true, nil
	}
	return false, writable(path)
}

func checkProgram(path string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o002 != 0 {
		return writable(path)
	}
	return checkOwner(path, info)
}

func writable(path string) error {
	return &UnsafeError{
		What: "every user may write to " + path,
		Hint: "take that right away (chmod o-w), or put the program where others may not write",
	}
}

func checkOwner(path string, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || stat.Uid == 0 || int(stat.Uid) == os.Geteuid() || outside(stat.Uid) {
		return nil
	}
	return &UnsafeError{
		What: fmt.Sprintf("%s belongs to user %d, who is neither you nor root", path, stat.Uid),
		Hint: "make it yours (chown), or copy the program to a folder of yours",
	}
}
