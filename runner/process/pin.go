package process

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// startPinned starts cmd. If there is a pin, 64 hex digits, the bytes of the
// program must hash to it.
func startPinned(cmd *exec.Cmd, pin string) error {
	if cmd.Err != nil { // the program is not in PATH
		return cmd.Err
	}
	if pin != "" {
		program, err := openPinned(cmd.Path, pin)
		if err != nil {
			return err
		}
		defer program.Close()
		execPinned(cmd, program)
	}
	return startRetrying(cmd)
}

// openPinned opens the program and compares its bytes with the pin.
func openPinned(program, pin string) (*os.File, error) {
	// To open or to read anything else may take for ever.
	if info, err := os.Stat(program); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	file, err := os.Open(program)
	if err != nil {
		return nil, err
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		_ = file.Close()
		return nil, err
	}
	if sum := hex.EncodeToString(hash.Sum(nil)); sum != pin {
		_ = file.Close()
		return nil, &pinError{program: program, sum: sum}
	}
	return file, nil
}

// pinError says that a program is not the one that was pinned.
type pinError struct{ program, sum string }

func (e *pinError) Error() string {
	return fmt.Sprintf("%s is not the pinned program: its sha256 is %s", e.program, e.sum)
}
