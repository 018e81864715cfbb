//go:build unix

package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A FIFO with no writer would keep the reader waiting for ever.
func TestWorkspaceFileIsNoFIFO(t *testing.T) {
	s := place(t, nil)
	path := filepath.Join(s.Root, "datarim", "stagehook.yaml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(s); err == nil || !strings.HasSuffix(err.Error(), "is not a regular file") {
		t.Errorf("error %v", err)
	}
	if _, err := Trust(path); err == nil || !strings.HasSuffix(err.Error(), "is not a regular file") {
		t.Errorf("error %v", err)
	}
}
