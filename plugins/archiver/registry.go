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

// inRegistry asks the nearest registry, from the root upwards. A file without the
// registry's heading is passed over, one without the prefix ends the search.
func inRegistry(prefix, root string) (claim, error) {
	for dir := root; ; dir = filepath.Dir(dir) {
		file := filepath.Join(dir, registryFile)
		text, err := readRegistry(dir, dir == root)
		if err != nil {
			return claim{}, fmt.Errorf("%s: %w", file, err)
		}
		if areas, ok := registeredAreas(text, prefix); ok {
			return claim{source: file, areas: areas}, nil
		}
		if dir == filepath.Dir(dir) {
			return claim{}, nil
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

// openRegistry follows a symlink, in the root as far as it does not lead out of
// it. It does not wait for the other end of a FIFO.
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
	return root.OpenFile(registryFile, flag, 0)
}

// cause is an error without the name of the file, which the caller knows better.
func cause(err error) error {
	if fault, ok := errors.AsType[*fs.PathError](err); ok {
		return fault.Err
	}
	return err
}
