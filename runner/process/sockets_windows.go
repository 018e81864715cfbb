package process

import "os"

// writable reports whether the directory is there; whether files can be made in
// it only trying would tell.
func writable(dir string) error {
	_, err := os.Stat(dir)
	return err
}
