package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// strangers puts empty files of others into a folder.
func (s *site) strangers(folder, name string, count int) {
	s.Helper()
	folder = s.path(filepath.FromSlash(folder))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		s.Fatal(err)
	}
	for i := range count {
		file, err := os.OpenFile(filepath.Join(folder, fmt.Sprintf(name, i)), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			s.Fatal(err)
		}
		if err := file.Close(); err != nil {
			s.Fatal(err)
		}
	}
}

// A resume asks the system for the same files however many others lie beside
// them. Of the folders only that of the task's own decisions is listed, and of
// what it lists only decisions are looked at.
func TestStrangersCostNothing(t *testing.T) {
	s := newRecordSite(t)
	asked := func() []string {
		t.Helper()
		all := s.traced(s.command(s.asking("resume")...), "/^(open|stat|lstat|newfstatat|statx|access|faccessat|readlink|getdents)")
		for i, call := range all { // what is opened in one go is named twice
			all[i] = strings.Join(strings.SplitN(call, " ", 3)[:2], " ")
		}
		slices.Sort(all) // decisions are read side by side
		return all
	}
	before := asked()
	s.strangers("datarim/evidence", "TUNE-%05d.evidence.yaml", 20_000)
	s.strangers("datarim/acceptance", "TUNE-%05d.acceptance.yaml", 20_000)
	s.strangers("datarim/briefs", "TUNE-%05d.brief.yaml", 20_000)
	s.strangers("datarim/authorizations", "AUTH-%05d.yaml", 20_000)
	s.strangers("datarim/decisions/TUNE-0255", "DR-%05d.yaml", 20_000)
	if after := asked(); !slices.Equal(after, before) {
		t.Errorf("beside strangers\n%s\nwithout\n%s", strings.Join(after, "\n"), strings.Join(before, "\n"))
	}

	s.strangers(atDecisions, "DR-%05d.yaml.orig", 100_000)
	listing := func(call string) bool { return strings.HasPrefix(call, "getdents") }
	after := asked()
	lists := len(after)
	after, before = slices.DeleteFunc(after, listing), slices.DeleteFunc(before, listing)
	if lists -= len(after); lists > 2_000 { // it is listed once, in pieces
		t.Errorf("the folder is listed in %d calls", lists)
	}
	if !slices.Equal(after, before) {
		t.Errorf("in a folder of strangers %d calls instead of %d", len(after), len(before))
	}
	end := s.run(s.command(s.asking("route")...))
	if end != (ending{stdout: "/dr-do TUNE-0254\n"}) {
		t.Errorf("ended with %d, %q\n%s", end.code, end.stdout, end.stderr)
	}
}
