package main

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The files that sampleRecords names, beyond the records.
const (
	atInsights = "datarim/insights/INSIGHTS-TUNE-0254.md"
	atReport   = "datarim/qa/qa-report-TUNE-0254.md"
)

// atDecisions is the folder of the task's decisions.
const atDecisions = "datarim/decisions/TUNE-0254"

// everyFile are the paths of all files that a check reads.
var everyFile = []string{atContract, atParent, atBrief, atFirst, atHead, atGrant, atEvidence, atInsights, atReport}

// newRecordSite is a site with sound records and a snapshot without a projection.
func newRecordSite(t testing.TB) *site {
	t.Helper()
	s := newSite(t)
	if err := sampleRecords(t).store(s.root); err != nil {
		t.Fatal(err)
	}
	s.store("old")
	return s
}

// asking prepares a command that asks for the task's route.
func (s *site) asking(name string) []string {
	return []string{name, "--root", s.root, "--task", siteTask}
}

// wantUnreadable wants neither a route nor a prompt, since something at the path
// or below cannot be read.
func (s *site) wantUnreadable(path string) {
	s.Helper()
	for _, name := range []string{"route", "resume"} {
		end := s.run(s.command(s.asking(name)...))
		reasons := wantNoRoute(s, end.code, end.stdout, end.stderr)
		if !slices.ContainsFunc(reasons, func(reason string) bool { return strings.HasPrefix(reason, "record-unreadable: "+path) }) {
			s.Errorf("%s is refused for %q", name, reasons)
		}
	}
}

// A record is a regular file that no link leads to, not even one to the file beside
// it: were it followed here, the records would be sound. Nothing is waited for.
func TestRecordOfTheWrongKind(t *testing.T) {
	right := map[string]string{}
	for _, path := range everyFile {
		right[path] = "regular file"
		right[filepath.Dir(path)] = "directory"
	}
	for path, kind := range right {
		for _, m := range misplacements {
			if m.kind == kind {
				continue
			}
			t.Run(path+" is a "+m.kind, func(t *testing.T) {
				t.Parallel()
				s := newRecordSite(t)
				here := s.path(filepath.FromSlash(path))
				beside := filepath.Join(filepath.Dir(here), "moved")
				if err := cmp.Or(os.Rename(here, beside), m.make(here, "moved")); err != nil {
					t.Fatal(err)
				}
				s.wantUnreadable(path)
			})
		}
	}
}

// Whatever stands where a record or its folder would, the task has records: to put
// something else in their place does not make the snapshot the authority. Only an
// empty folder says nothing.
func TestAnyTraceOfRecordsAsksForThem(t *testing.T) {
	dangling := misplacement{"dangling symlink", func(path, _ string) error { return os.Symlink("nowhere", path) }}
	for _, record := range []string{atEvidence, atContract, atBrief, atDecisions} {
		for _, path := range []string{record, filepath.Dir(record)} {
			for _, m := range append(slices.Clone(misplacements), dangling) {
				if path != record && m.kind == "directory" {
					continue
				}
				t.Run(path+" is a "+m.kind, func(t *testing.T) {
					t.Parallel()
					s := newSite(t)
					s.store("old")
					path := s.path(filepath.FromSlash(path))
					if err := cmp.Or(os.MkdirAll(filepath.Dir(path), 0o700), m.make(path, s.snapshots())); err != nil {
						t.Fatal(err)
					}
					end := s.run(s.command(s.asking("resume")...))
					wantNoRoute(t, end.code, end.stdout, end.stderr)
				})
			}
		}
	}
}

// One byte too many is not read, though a sparse file has it at once.
func TestRecordTooLargeToRead(t *testing.T) {
	for _, path := range everyFile {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			s := newRecordSite(t)
			size := int64(256<<10 + 1)
			if path == atInsights || path == atReport {
				size = 64<<20 + 1
			}
			if err := os.Truncate(s.path(filepath.FromSlash(path)), size); err != nil {
				t.Fatal(err)
			}
			s.wantUnreadable(path)
		})
	}
}

// A disk that fails under any record, and a revalidator that dies over it, leave
// no prompt.
func TestRecordThatFailsToBeRead(t *testing.T) {
	for _, path := range append(slices.Clone(everyFile), atDecisions) {
		calls := "read"
		if path == atDecisions {
			calls = "getdents64"
		}
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			s := newRecordSite(t)
			step := step{calls: calls, path: s.path(filepath.FromSlash(path))}
			end := s.inject(s.command(s.asking("resume")...), s.snapshots(), step, "error=EIO")
			reasons := wantNoRoute(t, end.code, end.stdout, end.stderr)
			if !slices.Contains(reasons, "record-unreadable: "+path) || !strings.Contains(end.stderr, path+": input/output error") {
				t.Errorf("refused with\n%s", end.stderr)
			}
			end = s.inject(s.command(s.asking("resume")...), s.snapshots(), step, "signal=KILL")
			if end.code != exitPlugin || end.stdout != "" || !strings.HasPrefix(end.stderr, "stagehook: plugin product-decision-route: ") {
				t.Errorf("killed: exit code %d, %q\n%s", end.code, end.stdout, end.stderr)
			}
		})
	}
}

// Evidence and inputs lie in the root, whatever the records say.
func TestRecordThatNamesAFileOutside(t *testing.T) {
	for _, path := range []string{"/etc/passwd", "../new", "..", "datarim/../../new"} {
		for record, named := range map[string]string{atEvidence: atReport, atBrief: atInsights} {
			s := newSite(t)
			s.store("old")
			set := sampleRecords(t)
			set.change(record, "path: "+named, "path: "+path)
			if err := set.store(s.root); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"route", "resume"} {
				end := s.run(s.command(s.asking(name)...))
				reasons := wantNoRoute(t, end.code, end.stdout, end.stderr)
				if !slices.Contains(reasons, "record-unreadable: "+record) && !slices.Contains(reasons, "record-malformed: "+record) {
					t.Errorf("%s with %s: refused for %q", record, path, reasons)
				}
			}
		}
	}
}
