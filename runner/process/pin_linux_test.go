package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"
)

// What is executed is what was compared, whatever lies at the path by then.
func TestPinnedProgramIsTheComparedOne(t *testing.T) {
	path := program(t, "#!/bin/sh\necho compared\n")
	file, err := openPinned(path, sum(t, path))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := os.Rename(program(t, "#!/bin/sh\necho swapped\n"), path); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path)
	execPinned(cmd, file)
	if output, err := cmd.Output(); err != nil || string(output) != "compared\n" {
		t.Errorf("the output is %q, error %v", output, err)
	}
}

// The open program is the one file that a plugin inherits.
func TestPinnedPluginInheritsItsProgram(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	command := as("plugin", "files")
	command.SHA256 = sum(t, command.Argv[0])
	answer, err := render(t.Context(), mustStart(t, openPool(t), command), patience)
	if err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(command.Argv[0])
	if err != nil {
		t.Fatal(err)
	}
	if others := wantOwnFiles(t, answer); len(others) != 1 || others[0] != real {
		t.Errorf("the plugin has %q; want its program only", others)
	}
}
