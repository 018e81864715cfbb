package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// propose reads the workspace's file of s.
func propose(t *testing.T, s Sources) *Proposal {
	t.Helper()
	p, err := Propose(s, filepath.Join(s.Root, "datarim", "stagehook.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A proposal shows all that trust is for, as it takes effect with the other layers,
// and nothing else.
func TestProposalShowsWhatWouldRun(t *testing.T) {
	s := place(t, map[Layer]string{
		LayerUser: `plugins: {mine: {command: [prog, -v], settings: {a: 1}}, other: {command: [prog]}}`,
		LayerWorkspace: `log_level: trace
plugins:
  archiver: {env: [TOKEN], settings: {areas: {X: y}}}
  helper: {builtin: exec, settings: {command: [sh, -c, "a; b\nc\e[2J"]}}
  mine: {settings: {b: {"c d": "\u202e"}}, call_timeout: 1h}
  snapshot-writer: {settings: {truncation: keep-cta}}
  theirs:
    command: [./run, "it's"]
    sha256: "` + strings.Repeat("0", 64) + `"`,
	})
	file := filepath.Join(s.Root, "datarim", "stagehook.yaml")
	at := func(line int) Origin { return Origin{Layer: LayerWorkspace, Path: file, Line: line} }
	p := propose(t, s)
	want := []Grant{
		{"archiver", p.Grants[0].Origin, []Fact{{"run", "built-in archiver"}, {"env", "TOKEN"}, {"settings.areas.X", `"y"`}}},
		{"helper", at(4), []Fact{{"run", `built-in exec sh -c "a; b\nc\u001b[2J"`}}},
		{"mine", p.Grants[2].Origin, []Fact{{"run", "prog -v"}, {"pin", "none"}, {"settings.a", "1"}, {`settings.b."c d"`, `"\u202e"`}, {"call_timeout", `"1h0m0s"`}}},
		{"theirs", at(8), []Fact{{"run", filepath.Join(s.Root, "datarim", "run") + ` 'it'\''s'`}, {"pin", "sha256:" + strings.Repeat("0", 64)}}},
		{"", at(1), []Fact{{"log_level", `"trace"`}}},
	}
	if !reflect.DeepEqual(p.Grants, want) {
		t.Errorf("got  %q\nwant %q", p.Grants, want)
	}
	if p.Trusted || p.Earlier || p.Before != nil || p.File != file {
		t.Errorf("%+v", p)
	}
}

func TestProposalShowsWhatHasChanged(t *testing.T) {
	s := place(t, map[Layer]string{LayerWorkspace: "plugins: {x: {command: [old], env: [A]}, gone: {command: [g]}, same: {command: [s]}}\n"})
	file := filepath.Join(s.Root, "datarim", "stagehook.yaml")
	if err := propose(t, s).Trust(); err != nil {
		t.Fatal(err)
	}
	if p := propose(t, s); !p.Trusted || p.Earlier {
		t.Errorf("unchanged: %+v", p)
	}
	write(t, file, "\n\nplugins: {x: {command: [new], env: [A]}, come: {command: [c]}, same: {command: [s]}}\n")
	p := propose(t, s)
	want := []Change{
		{"come", nil, []Fact{{"run", "c"}, {"pin", "none"}}},
		{"gone", []Fact{{"run", "g"}, {"pin", "none"}}, nil},
		{"x", []Fact{{"run", "old"}}, []Fact{{"run", "new"}}},
	}
	if p.Trusted || !p.Earlier || !reflect.DeepEqual(p.Changes(), want) {
		t.Errorf("got %+v", p.Changes())
	}
	// It is compared with what was trusted last.
	if err := p.Trust(); err != nil {
		t.Fatal(err)
	}
	write(t, file, "# nothing new\nplugins: {x: {command: [new], env: [A]}, come: {command: [c]}, same: {command: [s]}}\n")
	if p := propose(t, s); p.Trusted || !p.Earlier || p.Before == nil || p.Changes() != nil {
		t.Errorf("got %+v", p)
	}
}

// A copy that somebody has changed is no base for a comparison.
func TestChangedCopyIsNotComparedWith(t *testing.T) {
	s := place(t, map[Layer]string{LayerWorkspace: "plugins: {x: {command: [old]}}\n"})
	if err := propose(t, s).Trust(); err != nil {
		t.Fatal(err)
	}
	copies, err := filepath.Glob(filepath.Join(os.Getenv("XDG_STATE_HOME"), "stagehook", "trust", "*"+contentSuffix))
	if err != nil || len(copies) != 1 {
		t.Fatal(copies, err)
	}
	write(t, copies[0], "plugins: {x: {command: [new]}}\n")
	write(t, filepath.Join(s.Root, "datarim", "stagehook.yaml"), "plugins: {x: {command: [new]}} # evil\n")
	if p := propose(t, s); !p.Earlier || p.Before != nil {
		t.Errorf("got %+v", p)
	}
}

// What was shown is what is sealed.
func TestProposalSealsWhatItShows(t *testing.T) {
	s := place(t, map[Layer]string{LayerWorkspace: "plugins: {x: {command: [shown]}}\n"})
	file := filepath.Join(s.Root, "datarim", "stagehook.yaml")
	p := propose(t, s)
	write(t, file, "plugins: {x: {command: [swapped]}}\n")
	if err := p.Trust(); err != nil {
		t.Fatal(err)
	}
	if err := load(t, s).Trusted("x"); err == nil {
		t.Error("what was put in its place is trusted")
	}
	write(t, file, "plugins: {x: {command: [shown]}}\n")
	if err := load(t, s).Trusted("x"); err != nil {
		t.Error(err)
	}
}

// Nothing would run with such a file, so there is nothing to agree to.
func TestProposalOfWhatCannotWork(t *testing.T) {
	s := place(t, map[Layer]string{LayerWorkspace: "plugins: {x: {command: [prog], sha256: short}}\n"})
	if _, err := Propose(s, filepath.Join(s.Root, "datarim", "stagehook.yaml")); err == nil || !strings.Contains(err.Error(), "hex digits") {
		t.Errorf("error %v", err)
	}
}

func TestTrustRecords(t *testing.T) {
	s := place(t, map[Layer]string{LayerWorkspace: "log_level: info\n"})
	file := filepath.Join(s.Root, "datarim", "stagehook.yaml")
	states := func() (list []TrustState) {
		t.Helper()
		records, err := TrustRecords()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			if r.Path != resolved(file) || len(r.SHA256) != 64 {
				t.Errorf("%+v", r)
			}
			list = append(list, r.State)
		}
		return list
	}
	want := func(want ...TrustState) {
		t.Helper()
		if got := states(); !reflect.DeepEqual(got, want) {
			t.Errorf("states %v; want %v", got, want)
		}
	}
	want()
	for range 2 {
		if err := propose(t, s).Trust(); err != nil {
			t.Fatal(err)
		}
	}
	// What is no record is passed over.
	folder := filepath.Join(os.Getenv("XDG_STATE_HOME"), "stagehook", "trust")
	write(t, filepath.Join(folder, "README"), "x")
	write(t, filepath.Join(folder, digest([]byte("a forged name"))), "a  /b\n")
	want(TrustCurrent)
	write(t, file, "log_level: warn\n")
	want(TrustChanged)
	if err := propose(t, s).Trust(); err != nil {
		t.Fatal(err)
	}
	want(TrustChanged, TrustCurrent)
	if err := os.RemoveAll(s.Root); err != nil {
		t.Fatal(err)
	}
	want(TrustGone, TrustGone)

	// The trust in a file that is gone can be taken back, with all that was kept.
	if n, err := RevokeTrust(filepath.Join(s.Root, "datarim", "other.yaml")); n != 0 || err != nil {
		t.Errorf("another file: %d, %v", n, err)
	}
	if n, err := RevokeTrust(file); n != 2 || err != nil {
		t.Errorf("revoked %d, %v", n, err)
	}
	want()
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 2 {
		t.Errorf("left are %v, %v", entries, err)
	}
}

func TestRevokedTrust(t *testing.T) {
	s := place(t, map[Layer]string{LayerWorkspace: "plugins: {x: {command: [evil]}}\n"})
	if err := propose(t, s).Trust(); err != nil {
		t.Fatal(err)
	}
	t.Chdir(s.Root)
	if n, err := RevokeTrust("datarim/stagehook.yaml"); n != 1 || err != nil {
		t.Fatalf("revoked %d, %v", n, err)
	}
	if err := load(t, s).Trusted("x"); err == nil {
		t.Error("it is still trusted")
	}
}
