package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// wantFault fails the test unless a command has ended with 1 and one line that
// gives the cause, and has left the task's snapshot as it was and nothing else.
func (s *site) wantFault(end ending, cause, snapshot string) {
	s.Helper()
	if end.code != exitIO || end.stdout != "" || strings.Count(end.stderr, "\n") != 1 ||
		!strings.HasPrefix(end.stderr, "stagehook: ") || !strings.HasSuffix(end.stderr, ": "+cause+"\n") {
		s.Errorf("ended with %d: %s%s; want %d and the cause %q", end.code, end.stdout, end.stderr, exitIO, cause)
	}
	if s.whole(s.snapshot()) != snapshot {
		s.Error("the old snapshot has changed")
	}
	s.wantClean()
}

// mount makes a file system of its own at a folder, which need not exist.
func (s *site) mount(dir, options string) {
	s.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		s.Fatal(err)
	}
	err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options)
	if errors.Is(err, syscall.EPERM) {
		s.Skipf("mount: %v", err)
	}
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
}

// remount changes whether a folder that was mounted may be written.
func (s *site) remount(name string, flags uintptr) {
	s.Helper()
	if err := syscall.Mount("", s.path(filepath.FromSlash(name)), "", syscall.MS_REMOUNT|flags, ""); err != nil {
		s.Fatal(err)
	}
}

// fill makes files of a size in bytes in a folder until there is no room for
// another one, and returns their names.
func (s *site) fill(dir string, size int) []string {
	s.Helper()
	for pieces := []string(nil); ; {
		piece := filepath.Join(dir, "ballast"+strconv.Itoa(len(pieces)))
		err := os.WriteFile(piece, make([]byte, size), 0o600)
		if errors.Is(err, syscall.ENOSPC) {
			_ = os.Remove(piece) // a name may have had room, the content had none
			return pieces
		}
		if err != nil {
			s.Fatal(err)
		}
		pieces = append(pieces, piece)
	}
}

// The file system has no room, for so much that another page or inode each time
// is what the next step lacks, so that a write falls short half way, too.
func TestFullFileSystem(t *testing.T) {
	for name, test := range map[string]struct {
		options string
		size    int // of a piece of what is scarce, in bytes
	}{
		"no space":  {"size=48k", os.Getpagesize()},
		"no inodes": {"nr_inodes=24", 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.mount(s.path("datarim"), test.options)
			old := s.store("old")
			pieces := s.fill(s.path("datarim"), test.size)
			refused := 0
			end := s.run(s.stageExit("new"))
			for ; end.code != exitOK && len(pieces) > 0; end = s.run(s.stageExit("new")) {
				s.wantFault(end, "no space left on device", old)
				s.remove(pieces[0])
				pieces = pieces[1:]
				refused++
			}
			// It needs a page for the lock's owner and two for the file, and an inode for
			// each and for the lock.
			if end != (ending{}) || refused < 3 {
				t.Errorf("after %d faults: ended with %d: %s", refused, end.code, end.stderr)
			}
			s.wantClean()
		})
	}
}

// A limit on the size of files ends the writing, not the writer.
func TestFileSizeLimit(t *testing.T) {
	for _, blocks := range []string{"0", "1"} { // too small for the lock's owner, for the snapshot
		t.Run(blocks, func(t *testing.T) {
			s := newSite(t)
			old := s.store("old")
			cmd := s.stageExit("new")
			limited := exec.Command("sh", append([]string{"-c", `ulimit -f "$0"; exec "$@"`, blocks}, cmd.Args...)...)
			limited.Dir, limited.Env = cmd.Dir, cmd.Env
			s.wantFault(s.run(limited), "file too large", old)
			s.store("new")
			s.wantClean()
		})
	}
}

func TestReadOnlyFileSystem(t *testing.T) {
	s := newSite(t)
	s.mount(s.path("datarim"), "")
	s.remount("datarim", syscall.MS_RDONLY)
	const cause = "read-only file system"
	if end := s.run(s.stageExit("new")); end.code != exitIO || !strings.HasSuffix(end.stderr, cause+"\n") {
		t.Errorf("without a folder: ended with %d: %s", end.code, end.stderr)
	}
	s.remount("datarim", 0)
	s.wantOnly(s.path("datarim"))
	old := s.store("old")
	s.remount("datarim", syscall.MS_RDONLY)
	s.wantFault(s.run(s.stageExit("new")), cause, old)
	s.remount("datarim", 0)
	s.store("new")
	s.wantClean()
}

// A user may not write in the snapshots' folder.
func TestFolderThatMayNotBeWritten(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to be another user")
	}
	s := newSite(t)
	const nobody = 65534
	as := func(cmd *exec.Cmd) *exec.Cmd {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		return cmd
	}
	if err := filepath.WalkDir(s.base, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, nobody, nobody))
	}); err != nil {
		t.Fatal(err)
	}
	s.must(as(s.stageExit("old")))
	old := s.whole(s.snapshot())
	for _, mode := range []os.FileMode{0o555, 0o500} {
		if err := os.Chmod(s.snapshots(), mode); err != nil {
			t.Fatal(err)
		}
		s.wantFault(s.run(as(s.stageExit("new"))), "permission denied", old)
	}
	if err := os.Chmod(s.snapshots(), 0o700); err != nil {
		t.Fatal(err)
	}
	s.must(as(s.stageExit("new")))
	s.wantClean()
}

// A step fails: the old snapshot stays, nothing else does, and the next stage exit
// works.
func TestFaultOfAStep(t *testing.T) {
	const snapshot, lock = siteTask + ".snapshot.md", ".lock." + siteTask
	for step, errnos := range map[step][]string{
		{"making the lock", "mkdirat", folder}:            {"EACCES", "ENOSPC", "EROFS"},
		{"taking it", "renameat2", lock}:                  {"EACCES", "EIO"},
		{"filling the temporary file", "write", tempFile}: {"ENOSPC", "EDQUOT", "EIO"},
		{"making its content durable", "fsync", tempFile}: {"ENOSPC", "EDQUOT", "EIO"},
		{"closing it", "close", tempFile}:                 {"ENOSPC", "EDQUOT", "EIO"},
		{"publishing it", "renameat,renameat2", snapshot}: {"EACCES", "ENOSPC", "EIO"},
		{"making its name durable", "fsync", folder}:      {"ENOSPC", "EDQUOT", "EIO"},
	} {
		for _, errno := range errnos {
			t.Run(step.name+" "+errno, func(t *testing.T) {
				t.Parallel()
				s := newSite(t)
				old := s.store("old")
				s.wantFault(s.inject(s.stageExit("new"), s.snapshots(), step, "error="+errno), causes[errno], old)
				s.store("new")
				s.wantClean()
			})
		}
	}
}

// The name of a task's first snapshot cannot be made durable: then there is none.
func TestFaultOfTheFirstSnapshot(t *testing.T) {
	s := newSite(t)
	s.store("old")
	s.remove(s.snapshot())
	end := s.inject(s.stageExit("new"), s.snapshots(), step{"making its name durable", "fsync", folder}, "error=EIO")
	if end.code != exitIO || !strings.HasSuffix(end.stderr, ": "+causes["EIO"]+"\n") {
		t.Errorf("ended with %d: %s", end.code, end.stderr)
	}
	s.wantOnly(s.snapshots())
}

// Where a rename cannot refuse to replace, as on NFS, everything works with other
// calls.
func TestFileSystemWithoutExclusiveRename(t *testing.T) {
	s := newSite(t)
	exclusive := step{"renaming", "renameat2", anything}
	for _, answer := range []string{"old", "new"} {
		if end := s.inject(s.stageExit(answer), s.snapshots(), exclusive, "error=EINVAL"); end != (ending{}) {
			t.Fatalf("stage-exit ended with %d: %s", end.code, end.stderr)
		}
		s.wantClean()
	}
	want := s.whole(s.snapshot())
	if end := s.inject(s.archive(), s.snapshots(), exclusive, "error=EINVAL"); end != (ending{}) {
		t.Fatalf("archive ended with %d: %s", end.code, end.stderr)
	}
	if source, target := s.copies(want); source || !target {
		t.Error("the snapshot was not moved")
	}
	s.wantOnly(s.snapshots())
}

// causes are the texts of errors.
var causes = map[string]string{
	"EACCES": "permission denied",
	"EDQUOT": "disk quota exceeded",
	"EIO":    "input/output error",
	"ENOSPC": "no space left on device",
	"EROFS":  "read-only file system",
}
