package process

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// maxBase is the longest directory in which a socket's path, a random directory
// and a random name, still fits the 103 bytes that macOS allows.
const maxBase = 65

// hintSockets is for a directory in which nothing can be made.
const hintSockets = "make room there, or set TMPDIR to a folder that can be written"

// socketBase returns the directory in which go-plugin makes the private directory,
// mode 0700, of a plugin's socket: the first that is short enough and can be
// written.
func socketBase() (string, error) {
	var errs []error
	for _, base := range []string{os.Getenv("XDG_RUNTIME_DIR"), os.TempDir(), "/tmp"} {
		if base == "" {
			continue
		}
		if len(base) > maxBase && runtime.GOOS != "windows" { // which has no sockets in it
			errs = append(errs, fmt.Errorf("%s is too long for a socket", base))
			continue
		}
		if strings.ContainsAny(base, "|\n\r") {
			errs = append(errs, fmt.Errorf("%q would break the handshake", base))
			continue
		}
		if err := writable(base); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", base, err))
			continue
		}
		return base, nil
	}
	return "", errors.Join(errs...)
}
