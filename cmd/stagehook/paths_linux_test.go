package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A misplacement puts something of the wrong kind at a path. What was there is
// moved out of the root, where a link would find it.
type misplacement struct {
	kind string // as the messages have it
	make func(path, moved string) error
}

func node(mode uint32, device int) func(path, moved string) error {
	return func(path, _ string) error { return syscall.Mknod(path, mode|0o600, device) }
}

var misplacements = []misplacement{
	{"symlink", func(path, moved string) error { return os.Symlink(moved, path) }},
	{"FIFO", node(syscall.S_IFIFO, 0)},
	{"socket", node(syscall.S_IFSOCK, 0)},
	{"device", node(syscall.S_IFCHR, 1<<8|5)}, // of zeros without end
	{"regular file", func(path, _ string) error { return os.WriteFile(path, nil, 0o600) }},
	{"directory", func(path, _ string) error { return os.Mkdir(path, 0o700) }},
}

// Whatever is in the way, each command ends at once with its code, changes nothing
// below the root and touches nothing outside.
func TestWrongKindOfFile(t *testing.T) {
	const target = "documentation/archive/framework/snapshots/TUNE-0254-final-stage.md"
	for _, test := range []struct {
		path            string
		kind            string // the right one
		exit, read      int    // of stage-exit; of resume and validate
		replacesSymlink bool   // a symlink is no obstacle to stage-exit
	}{
		{path: "datarim", kind: "directory", exit: exitIO, read: exitMalformed},
		{path: "datarim/snapshots", kind: "directory", exit: exitIO, read: exitMalformed},
		{path: "datarim/snapshots/.lock.TUNE-0254", kind: "directory", exit: exitIO},
		{path: "datarim/snapshots/TUNE-0254.snapshot.md", kind: "regular file", exit: exitIO, read: exitMalformed, replacesSymlink: true},
		{path: "documentation", kind: "directory"},
		{path: "documentation/archive", kind: "directory"},
		{path: "documentation/archive/framework", kind: "directory"},
		{path: "documentation/archive/framework/snapshots", kind: "directory"},
		{path: target, kind: "regular file"},
	} {
		for _, m := range misplacements {
			if m.kind == test.kind {
				continue
			}
			t.Run(test.path+" is a "+m.kind, func(t *testing.T) {
				t.Parallel()
				s := newSite(t)
				s.plant(s.path(filepath.FromSlash(target)), s.store("old"))
				s.misplace(m, test.path)
				before := s.inventory()
				for name, code := range map[string]int{"archive": exitIO, "resume": test.read, "validate": test.read} {
					end := s.run(s.command(name, "--root", s.root, "--task", siteTask))
					s.wantRefusal(name, end, code, m.kind)
				}
				if m.kind == "symlink" && test.replacesSymlink {
					if s.store("new") == s.whole(s.moved()) {
						t.Error("the symlink was followed")
					}
					return
				}
				s.wantRefusal("stage-exit", s.run(s.stageExit("old")), test.exit, m.kind)
				if after := s.inventory(); after != before {
					t.Errorf("before\n%s\nafter\n%s", before, after)
				}
			})
		}
	}
}

func (s *site) moved() string { return filepath.Join(s.base, "moved") }

func (s *site) misplace(m misplacement, path string) {
	s.Helper()
	path = s.path(filepath.FromSlash(path))
	err := os.Rename(path, s.moved())
	if errors.Is(err, fs.ErrNotExist) { // the lock
		err = os.Mkdir(s.moved(), 0o700)
	}
	if err == nil {
		err = m.make(path, s.moved())
	}
	if errors.Is(err, fs.ErrPermission) {
		s.Skipf("making a %s: %v", m.kind, err)
	}
	if err != nil {
		s.Fatal(err)
	}
}

// wantRefusal fails the test unless a command has ended with the code, and says
// what it must say with it.
func (s *site) wantRefusal(name string, end ending, code int, kind string) {
	s.Helper()
	said, want := end.stderr, "stagehook: "
	problem := "not-regular"
	if kind == "symlink" {
		problem = "symlink"
	}
	switch {
	case code == exitOK:
		said, want = end.stderr, ""
	case name == "resume":
		said, want = end.stdout+end.stderr, ""
	case name == "validate":
		want = "stagehook: the snapshot of TUNE-0254 is malformed: " + problem + ": "
	}
	if end.code != code || !strings.HasPrefix(said, want) || want == "" && said != "" {
		s.Errorf("%s ended with %d: %s%s; want %d and %q", name, end.code, end.stdout, end.stderr, code, want)
	}
}

// inventory lists everything in the site but the sockets, with the mode of each
// and the content and the time of files.
func (s *site) inventory() string {
	s.Helper()
	var list strings.Builder
	err := filepath.WalkDir(s.base, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == s.temp {
			return fs.SkipDir
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%v %s", info.Mode(), path)
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&list, " %q", data)
			if path != s.snapshot() { // which is stored anew, with the same bytes
				fmt.Fprintf(&list, " %v", info.ModTime())
			}
		}
		list.WriteByte('\n')
		return nil
	})
	if err != nil {
		s.Fatal(err)
	}
	return list.String()
}
