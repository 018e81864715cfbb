package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// wantArchiveFault fails the test unless a command has ended with 1 and one line
// that gives the cause, has left the snapshot where it was and nothing in the
// archive, and unless the archiving works once mend has removed the cause.
func (s *site) wantArchiveFault(end ending, cause, snapshot string, mend func()) {
	s.Helper()
	s.wantFault(end, cause, snapshot)
	if s.exists(filepath.Dir(s.archived())) {
		s.wantOnly(filepath.Dir(s.archived()))
	}
	mend()
	s.must(s.archive())
	if source, target := s.copies(snapshot); source || !target {
		s.Error("the next run did not finish")
	}
	s.wantOnly(s.snapshots())
	s.wantOnly(filepath.Dir(s.archived()), filepath.Base(s.archived()))
}

// The archive's file system has no room, for so much that another page or inode
// each time is what the next step lacks.
func TestFullArchive(t *testing.T) {
	for name, test := range map[string]struct {
		options string
		size    int // of a piece of what is scarce, in bytes
	}{
		"no space":  {"size=32k", os.Getpagesize()},
		"no inodes": {"nr_inodes=16", 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.mountArchive(test.options)
			want := s.store("new")
			pieces := s.fill(filepath.Dir(filepath.Dir(filepath.Dir(s.archived()))), test.size)
			end := s.run(s.archive())
			for ; end.code != exitOK && len(pieces) > 0; end = s.run(s.archive()) {
				s.wantFault(end, "no space left on device", want)
				if s.exists(filepath.Dir(s.archived())) {
					s.wantOnly(filepath.Dir(s.archived()))
				}
				s.remove(pieces[0])
				pieces = pieces[1:]
			}
			if source, target := s.copies(want); end != (ending{}) || source || !target {
				t.Errorf("ended with %d: %s", end.code, end.stderr)
			}
		})
	}
}

func TestReadOnlyArchive(t *testing.T) {
	for name, made := range map[string]bool{"that is empty": false, "that has the folder": true} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.mountArchive("")
			if made {
				s.makeArchive()
			}
			want := s.store("old")
			s.remount("documentation/archive", syscall.MS_RDONLY)
			s.wantArchiveFault(s.run(s.archive()), "read-only file system", want, func() { s.remount("documentation/archive", 0) })
		})
	}
}

// A step towards the archive fails, on the same file system and another.
func TestFaultOfAnArchivingStep(t *testing.T) {
	final := siteTask + "-final-stage.md"
	for _, test := range []struct {
		step    step
		mounted bool
		errnos  string
	}{
		{step{"moving the snapshot", "renameat2", final}, false, "EACCES ENOSPC EIO"},
		{step{"filling the temporary file", "write", tempFile}, true, "ENOSPC EDQUOT EIO"},
		{step{"making its content durable", "fsync", tempFile}, true, "ENOSPC EDQUOT EIO"},
		{step{"closing it", "close", tempFile}, true, "ENOSPC EDQUOT EIO"},
		{step{"publishing it", "renameat2", final}, true, "EACCES ENOSPC EIO"},
		{step{"making the move durable", "fsync", folder}, false, "ENOSPC EDQUOT EIO"},
		{step{"making the copy's name durable", "fsync", folder}, true, "ENOSPC EDQUOT EIO"},
		{step{"removing the source", "unlinkat", siteTask + ".snapshot.md"}, true, "EACCES EROFS EIO"},
	} {
		for errno := range strings.FieldsSeq(test.errnos) {
			t.Run(test.step.name+" "+errno, func(t *testing.T) {
				t.Parallel()
				s := newSite(t)
				if test.mounted {
					s.mountArchive("")
				}
				s.makeArchive()
				want := s.store("old")
				end := s.inject(s.archive(), filepath.Dir(s.archived()), test.step, "error="+errno)
				s.wantArchiveFault(end, causes[errno], want, func() {})
			})
		}
	}
}

// The removal of the source cannot be made durable: one copy stays at least, and
// the next run finishes.
func TestFaultAfterTheArchiving(t *testing.T) {
	for name, mounted := range map[string]bool{"on one file system": false, "to another file system": true} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			if mounted {
				s.mountArchive("")
			}
			s.makeArchive()
			want := s.store("old")
			end := s.inject(s.archive(), s.snapshots(), step{"making it durable", "fsync", folder}, "error=EIO")
			if end.code != exitIO || !strings.HasSuffix(end.stderr, ": "+causes["EIO"]+"\n") {
				t.Errorf("ended with %d: %s", end.code, end.stderr)
			}
			if source, target := s.copies(want); !source && !target {
				t.Fatal("the snapshot is lost")
			}
			s.must(s.archive())
			if source, target := s.copies(want); source || !target {
				t.Error("the next run did not finish")
			}
			s.wantOnly(s.snapshots())
		})
	}
}
