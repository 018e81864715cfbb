package workspace

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

func renameNoReplace(from *os.File, name string, to *os.File, newName string) error {
	err := unix.RenameatxNp(int(from.Fd()), name, int(to.Fd()), newName, unix.RENAME_EXCL)
	if err == unix.EINVAL { // the file system does not know the flag
		return errors.ErrUnsupported
	}
	return err
}
