package process

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

// maxBase is the longest directory below which a socket's path, two random
// directories and a random name, still fits the 103 bytes that macOS allows.
const maxBase = 44

// socketDir makes a private directory for the sockets of one pool, mode 0700,
// below the first place that is short enough and can be written.
func socketDir() (string, error) {
	var errs []error
	for _, base := range []string{os.Getenv("XDG_RUNTIME_DIR"), os.TempDir(), "/tmp"} {
		if base == "" {
			continue
		}
		if len(base) > maxBase && runtime.GOOS != "windows" { // which has no sockets in it
			errs = append(errs, fmt.Errorf("%s is too long for a socket", base))
			continue
		}
		dir, err := os.MkdirTemp(base, "stagehook-")
		if err == nil {
			return dir, nil
		}
		errs = append(errs, err)
	}
	return "", errors.Join(errs...)
}
