package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// archived is where the task's snapshot is archived.
func (s *site) archived() string {
	return s.path("documentation", "archive", "framework", "snapshots", siteTask+"-final-stage.md")
}

// makeArchive makes the folder of the archive that the task belongs in.
func (s *site) makeArchive() {
	s.Helper()
	if err := os.MkdirAll(filepath.Dir(s.archived()), 0o700); err != nil {
		s.Fatal(err)
	}
}

// mountArchive makes the archive another file system than the workspace.
func (s *site) mountArchive(options string) {
	s.Helper()
	s.mount(s.path("documentation", "archive"), options)
}

// At whatever instant the archiving is killed, one whole copy of the snapshot is
// there, every copy is whole, and the next run finishes.
func TestKilledArchiving(t *testing.T) {
	for name, prepare := range map[string]func(*site){
		"on one file system":     func(*site) {},
		"to another file system": func(s *site) { s.mountArchive("") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			prepare(s)
			want := s.store("old")
			length := s.timed(s.archive())
			const count = 40
			moved := 0
			for i := range count {
				s.remove(s.archived())
				s.store("old") // which takes over a lock that a killed run still has
				s.wantClean()
				cmd := s.archive()
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				last := i == count-1
				if last {
					s.waitEnded(cmd)
				}
				time.Sleep(length * 11 / 10 * time.Duration(i) / (count - 1)) // to spread the instants
				killAll(cmd)
				_ = s.wait(cmd)
				s.wantGone()
				source, target := s.copies(want)
				switch {
				case target && !source:
					moved++
				case !source:
					t.Fatalf("kill %d of %d: the snapshot is lost", i, count)
				case last:
					t.Fatal("a run to its end has not moved the snapshot")
				}
				length = s.timed(s.archive())
				if source, target = s.copies(want); source || !target {
					t.Fatalf("kill %d of %d: the next run did not finish", i, count)
				}
				s.wantOnly(filepath.Dir(s.archived()), filepath.Base(s.archived()))
			}
			t.Logf("of %d, %d had moved the snapshot", count, moved)
		})
	}
}

// copies reports whether the snapshot is still in the workspace and whether it is
// in the archive. Where it is, it must have the bytes wanted.
func (s *site) copies(want string) (source, target bool) {
	s.Helper()
	for path, there := range map[string]*bool{s.snapshot(): &source, s.archived(): &target} {
		if *there = s.exists(path); *there && s.whole(path) != want {
			s.Fatalf("%s has other bytes", path)
		}
	}
	return source, target
}

// The archiver is killed when it takes each of its steps to another file system.
func TestArchiverKilledAtAStep(t *testing.T) {
	final := siteTask + "-final-stage.md"
	for _, step := range []step{
		{"opening the folder", "openat", folder},
		{"filling the temporary file", "write", tempFile},
		{"making its content durable", "fsync", tempFile},
		{"closing it", "close", tempFile},
		{"publishing it", "renameat2", final},
		{"making its name durable", "fsync", folder},
		{"removing the source", "unlinkat", siteTask + ".snapshot.md"},
		{"giving the lock back", "renameat,renameat2", ".lock." + siteTask},
	} {
		t.Run(step.name, func(t *testing.T) {
			s := newSite(t)
			s.mountArchive("")
			want := s.store("old")
			s.makeArchive()
			if end := s.inject(s.archive(), filepath.Dir(s.archived()), step, "signal=KILL"); end.code != exitPlugin {
				t.Errorf("ended with %d: %s", end.code, end.stderr)
			}
			s.wantGone()
			if source, target := s.copies(want); !source && !target {
				t.Fatal("the snapshot is lost")
			}
			s.must(s.archive())
			if source, target := s.copies(want); source || !target {
				t.Error("the next run did not finish")
			}
			s.wantOnly(filepath.Dir(s.archived()), final)
			s.store("old")
			s.wantClean()
		})
	}
}
