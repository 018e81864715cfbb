package process

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

// openPinned opens the program and compares its bytes with the pin, 64 hex
// digits.
func openPinned(program, pin string) (*os.File, error) {
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
