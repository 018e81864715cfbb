package workspace

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
)

// TooLargeError says that a file is larger than its reader takes.
type TooLargeError struct {
	Path  string // relative to the root, with forward slashes
	Size  int64  // bytes, as far as they are known
	Limit int64  // bytes
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s is %d bytes; at most %d are read", e.Path, e.Size, e.Limit)
}

// Read returns the bytes of a regular file and what the system says of that very
// file. It never follows a symlink and never waits for the other end of a FIFO:
// anything but a regular file is a [*KindError]. A file of more than limit bytes
// is a [*TooLargeError], with the file's information; a missing one is
// [fs.ErrNotExist].
func (d *Dir) Read(name string, limit int64) ([]byte, fs.FileInfo, error) {
	file, info, err := d.openFile(name)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	if info.Size() > limit {
		return nil, info, &TooLargeError{Path: path.Join(d.path, name), Size: info.Size(), Limit: limit}
	}
	// One byte more, since the file may have grown since.
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, info, d.fault("read", name, err)
	}
	if int64(len(data)) > limit {
		return nil, info, &TooLargeError{Path: path.Join(d.path, name), Size: int64(len(data)), Limit: limit}
	}
	return data, info, nil
}

// openFile opens a regular file for reading.
func (d *Dir) openFile(name string) (*os.File, fs.FileInfo, error) {
	for range maxSwaps {
		seen, err := d.lstat(name)
		if err != nil {
			return nil, nil, err
		}
		if kind := kindOf(seen.Mode()); kind != KindFile {
			return nil, nil, &KindError{Path: path.Join(d.path, name), Got: kind, Want: KindFile}
		}
		file, err := d.root.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
		if err != nil {
			return nil, nil, d.fault("open", name, err)
		}
		info, err := file.Stat()
		if err == nil && info.Mode().IsRegular() && os.SameFile(seen, info) {
			return file, info, nil
		}
		_ = file.Close()
	}
	return nil, nil, d.fault("open", name, errSwapped)
}
