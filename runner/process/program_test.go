//go:build unix

package process

import (
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"
)

// TestPrograms starts what is no program.
func TestPrograms(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("#!/bin/sh\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	// The header of an executable for a machine that nobody has.
	foreign := append([]byte("\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xee\xee\x01"), make([]byte, 200)...)
	tests := map[string]struct {
		program    string
		want, hint string
	}{
		"missing":            {dir + "/missing", dir + `/missing does not exist`, ""},
		"below a file":       {plain + "/missing", plain + `/missing could not be started: not a directory`, ""},
		"not executable":     {plain, plain + ` may not be executed`, "chmod +x " + plain},
		"not in PATH":        {"no-such-program", `no-such-program is not in PATH`, "install it, or name it by its absolute path"},
		"garbage":            {program(t, "\x00garbage"), `.* is not a program for this system`, "it was built for another system, or it is a script without a #! line"},
		"wrong architecture": {program(t, string(foreign)), `.* is not a program for this system`, "it was built for another system, or it is a script without a #! line"},
		"no interpreter":     {program(t, "#!/no/such/interpreter\n"), `.* names an interpreter that does not exist`, "look at its #! line, or at the libraries it was linked with"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			err := failStart(t, openPool(t), running(test.program))
			wantError(t, err, test.want)
			if hint := err.(*Error).Hint; hint != test.hint {
				t.Errorf("hint is %q; want %q", hint, test.hint)
			}
		})
	}
}
