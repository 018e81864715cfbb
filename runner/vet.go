package runner

import (
	"errors"
	"os/exec"

	"github.com/stagehook/stagehook/runner/process"
	"github.com/stagehook/stagehook/sdk/program"
)

// vet refuses a program that another user of the machine can replace, see
// [program.Check]. One that cannot be found is for the start to report.
func vet(plugin, name string) error {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil
	}
	var unsafe *program.UnsafeError
	if errors.As(program.Check(path), &unsafe) {
		return &process.Error{Plugin: plugin, What: "its program is not safe from others: " + unsafe.What, Hint: unsafe.Hint}
	}
	return nil
}
