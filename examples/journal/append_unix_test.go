//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestTheJournalIsPrivate(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	root, path := workspace(t)
	if err := observe(root, ""); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// Nothing is written through a link, into the workspace or out of it, and nothing
// but a file is opened.
func TestOnlyAFileIsAppendedTo(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside")
	tests := map[string]struct {
		plant  func(root, path string) error
		reason string
	}{
		"link outside":      {func(_, path string) error { return os.Symlink(outside, path) }, "is no regular file"},
		"link inside":       {func(_, path string) error { return os.Symlink("tasks.md", path) }, "is no regular file"},
		"link to nothing":   {func(_, path string) error { return os.Symlink("new.md", path) }, "is no regular file"},
		"directory":         {func(_, path string) error { return os.Mkdir(path, 0o700) }, "is no regular file"},
		"FIFO":              {func(_, path string) error { return syscall.Mkfifo(path, 0o600) }, "is no regular file"},
		"folder is a link":  {func(root, _ string) error { return swapFolder(root, "elsewhere", nil) }, "is a link"},
		"folder is outside": {func(root, _ string) error { return swapFolder(root, filepath.Dir(outside), nil) }, "escapes"},
		"folder is a FIFO":  {func(root, _ string) error { return swapFolder(root, "", syscall.Mkfifo) }, "not a directory"},
		"no folder":         {func(root, _ string) error { return os.Rename(filepath.Join(root, folder), filepath.Join(root, "x")) }, "no such file"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			root, path := workspace(t)
			if err := os.Mkdir(filepath.Join(root, "elsewhere"), 0o700); err != nil {
				t.Fatal(err)
			}
			targets := []string{outside, filepath.Join(root, folder, "tasks.md"), filepath.Join(root, folder, "new.md")}
			for _, target := range targets[:2] {
				if err := os.WriteFile(target, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := test.plant(root, path); err != nil {
				t.Fatal(err)
			}
			if err := observe(root, ""); err == nil || !strings.Contains(err.Error(), test.reason) {
				t.Errorf("error is %v; want %s", err, test.reason)
			}
			for _, target := range targets {
				if info, err := os.Stat(target); err == nil && info.Size() > 0 {
					t.Errorf("%s was written to", target)
				}
			}
			if _, err := os.Lstat(filepath.Join(root, folder, "new.md")); err == nil {
				t.Error("the target of a link was made")
			}
			if names, err := os.ReadDir(filepath.Join(root, "elsewhere")); err != nil || len(names) > 0 {
				t.Errorf("elsewhere holds %v, %v", names, err)
			}
		})
	}
}

// swapFolder puts a link to target, or what another call makes, in the folder's
// place.
func swapFolder(root, target string, other func(string, uint32) error) error {
	path := filepath.Join(root, folder)
	if err := os.Rename(path, path+".old"); err != nil {
		return err
	}
	if other != nil {
		return other(path, 0o600)
	}
	return os.Symlink(target, path)
}

// Whoever puts a link in the journal's place just when it is opened gains nothing.
func TestALinkThatComesAndGoes(t *testing.T) {
	root, path := workspace(t)
	victim := filepath.Join(root, folder, "tasks.md")
	for _, name := range []string{victim, path} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("tasks.md", path+".link"); err != nil {
		t.Fatal(err)
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
			}
			// The file and the link change places.
			os.Rename(path, path+".file")
			os.Rename(path+".link", path)
			os.Rename(path, path+".link")
			os.Rename(path+".file", path)
		}
	}()
	for range 2000 {
		_ = observe(root, "") // may say that it met the link
	}
	close(stop)
	<-stopped
	if info, err := os.Stat(victim); err != nil || info.Size() > 0 {
		t.Errorf("written through the link: %v, %v", info, err)
	}
}
