package workspace

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

func renameNoReplace(from *os.File, name string, to *os.File, newName string) error {
	err := unix.Renameat2(int(from.Fd()), name, int(to.Fd()), newName, unix.RENAME_NOREPLACE)
	if err == unix.EINVAL { // the file system does not know the flag, as with NFS
		return errors.ErrUnsupported
	}
	return err
}
