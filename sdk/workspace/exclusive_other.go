//go:build !linux && !darwin

package workspace

import (
	"errors"
	"os"
)

func renameNoReplace(*os.File, string, *os.File, string) error {
	return errors.ErrUnsupported
}
