package archiver

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// registryFile is the file that may hold a project's Task Prefix Registry.
const registryFile = "CLAUDE.md"

// maxRegistryBytes bounds a registry file. A longer one is refused, not cut: the
// rest could hold the row that matters.
const maxRegistryBytes = 4 << 20

// inRegistry asks the nearest file whose registry has a row for the prefix, from
// the root upwards.
func inRegistry(prefix, root string) (c claim, warnings []string, err error) {
	for dir := root; ; dir = filepath.Dir(dir) {
		file := filepath.Join(dir, registryFile)
		text, err := readRegistry(dir, dir == root)
		switch {
		case errors.Is(err, errOutside):
			warnings = append(warnings, fmt.Sprintf("%s %v; it is passed over", file, err))
		case err != nil:
			return claim{}, nil, fmt.Errorf("%s: %w", file, err)
		}
		areas := registeredAreas(text, prefix)
		if len(areas) > 0 || dir == filepath.Dir(dir) {
			return claim{source: file, areas: areas}, warnings, nil
		}
	}
}

// readRegistry returns the file in dir, empty when there is none. What lies above
// the root is beyond the workspace: what cannot be opened there, or is no file,
// is passed over.
func readRegistry(dir string, isRoot bool) (string, error) {
	file, err := openRegistry(dir, isRoot)
	switch {
	case errors.Is(err, fs.ErrNotExist), err != nil && !isRoot:
		return "", nil
	case err != nil:
		return "", cause(err)
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return "", cause(err)
	case !info.Mode().IsRegular() && isRoot:
		return "", errors.New("is no regular file")
	case !info.Mode().IsRegular():
		return "", nil
	}
	data, err := io.ReadAll(io.LimitReader(file, maxRegistryBytes+1))
	switch {
	case err != nil:
		return "", cause(err)
	case len(data) > maxRegistryBytes:
		return "", fmt.Errorf("is larger than %d bytes", maxRegistryBytes)
	}
	return string(data), nil
}

// errOutside says that a file in the root is beyond the workspace.
var errOutside = errors.New("is a symlink that is absolute or leads out of the root")

// openRegistry follows a symlink, in the root as far as it does not lead out of
// it: that is [errOutside]. It does not wait for the other end of a FIFO.
func openRegistry(dir string, isRoot bool) (*os.File, error) {
	const flag = os.O_RDONLY | syscall.O_NONBLOCK
	if !isRoot {
		return os.OpenFile(filepath.Join(dir, registryFile), flag, 0)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, err := root.OpenFile(registryFile, flag, 0)
	// The error for such a path has no name, so one is made to compare with.
	if _, outside := root.Lstat(".."); err != nil && errors.Is(err, errors.Unwrap(outside)) {
		return nil, errOutside
	}
	return file, err
}

// cause is an error without the name of the file, which the caller knows better.
func cause(err error) error {
	if fault, ok := errors.AsType[*fs.PathError](err); ok {
		return fault.Err
	}
	return err
}
