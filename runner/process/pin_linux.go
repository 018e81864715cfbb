package process

import (
	"fmt"
	"os"
	"os/exec"
)

// execPinned makes cmd execute the very file whose bytes were compared, whatever
// has been put at its path since.
func execPinned(cmd *exec.Cmd, file *os.File) {
	// The first of the extra files is number 3 in the child.
	fd := 3 + len(cmd.ExtraFiles)
	cmd.ExtraFiles = append(cmd.ExtraFiles, file)
	cmd.Path = fmt.Sprintf("/proc/self/fd/%d", fd)
}
