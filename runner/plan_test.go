package runner

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/snapshot"
	"github.com/stagehook/stagehook/sdk/workspace"
)

func newState(t *testing.T) *state {
	t.Helper()
	ws, err := workspace.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	grammar, err := identity.New(identity.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	return &state{runner: &Runner{grammar: grammar}, workspace: ws, event: Event{Name: Resume, TaskID: "TUNE-0254"}}
}

// Records that were there at any moment of a resume must be asked, also when they
// are gone by the time of the revalidator's turn.
func TestAuthorityThatWasSeenCountsToTheEnd(t *testing.T) {
	s := newState(t)
	if s.claimsAuthority() {
		t.Fatal("an empty workspace claims authority")
	}
	folder := filepath.Join(s.workspace.Root(), "datarim", "decisions", "TUNE-0254")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if !s.claimsAuthority() {
		t.Fatal("records do not claim authority")
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	s.snapshot = &snapshot.Snapshot{TaskID: "TUNE-0254"}
	if !s.claimsAuthority() {
		t.Error("records that were removed do not count any more")
	}
}

// Whatever becomes a line of the prompt can hold a projection.
func TestWhatClaimsAuthority(t *testing.T) {
	const projection = snapshot.ProjectionStart + " task=TUNE-0254 -->"
	for name, claims := range map[string]func(s *state){
		"body": func(s *state) { s.snapshot = &snapshot.Snapshot{Body: []byte("a\n" + projection)} },
		"option": func(s *state) {
			s.snapshot = &snapshot.Snapshot{Options: []string{"/dr-do | x", "/dr-qa | " + projection}}
		},
		"session":     func(s *state) { s.session = &snapshot.Session{Body: []byte(projection)} },
		"next action": func(s *state) { s.session = &snapshot.Session{NextAction: projection} },
	} {
		s := newState(t)
		claims(s)
		if !s.claimsAuthority() {
			t.Errorf("%s: claims no authority", name)
		}
	}
	s := newState(t)
	s.snapshot = &snapshot.Snapshot{Body: []byte("see " + projection), Options: []string{"/dr-do | go"}}
	if s.claimsAuthority() {
		t.Error("a projection inside a line claims authority")
	}
}
