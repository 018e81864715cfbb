//go:build !linux && !darwin

package workspace

import "errors"

// Without a boot's identity no owner counts as local, so none is ever judged
// dead and no lock is taken over.

func bootID() string { return "" }

func namespaces() string { return "" }

func processStart(int) (start string, zombie bool, err error) {
	return "", false, errors.ErrUnsupported
}

func processEnded(int, string) bool { return false }
