//go:build unix

package process

import (
	"path/filepath"
	"testing"

	"go.uber.org/goleak"
)

// A bare name is no program of the working directory, whatever PATH says: that is
// mostly a workspace.
func TestBareNameIsNoProgramOfTheWorkingDirectory(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	path := program(t, "#!/bin/sh\nexit 3\n")
	t.Chdir(filepath.Dir(path))
	for _, search := range []string{".", "", ":", ".:/nowhere"} {
		t.Setenv("PATH", search)
		wantError(t, failStart(t, openPool(t), running(filepath.Base(path))), `program could not be started: .*relative to current directory|program is not in PATH`)
	}
}
