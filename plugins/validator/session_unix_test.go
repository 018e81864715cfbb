//go:build unix

package validator

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

const (
	session       = "SESSION-20260521-134500"
	sessionFile   = "---\nartifact: session-handoff\nschema_version: 1\nsession_id: " + session + "\ncaptured_at: 2026-05-21T13:45:00Z\ncaptured_by: agent\nrecommended_next: /dr-do TUNE-0254\nnext_action: finish it\nactive_tasks: [TUNE-0254]\n---\n\n" + sessionBody
	sessionBody   = "## Layer 1\nAll green, verified: go test\n## Layer 5\n"
	sessionAtCap  = snapshot.MaxSessionBytes - len(sessionFile)
	sessionFolder = "datarim/sessions"
)

// storeSession puts a session's artefact into a new workspace.
func storeSession(t *testing.T) (root, path string) {
	t.Helper()
	root = t.TempDir()
	path = filepath.Join(root, filepath.FromSlash(snapshot.SessionPath(session)))
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(sessionFile), 0o600))
	return root, path
}

func validateSession(t *testing.T, root string, level snapshot.Level) *sdk.ValidateResult {
	t.Helper()
	req := &sdk.ValidateRequest{Task: sdk.Task{Root: root, SessionID: session}, Level: level}
	must(t, req.Check())
	res, err := Spec().Validator.Validate(t.Context(), req)
	must(t, err)
	if res.Path != sessionFolder+"/"+session+".session.md" || res.Snapshot != nil {
		t.Errorf("got %+v", res)
	}
	return res
}

func TestValidSession(t *testing.T) {
	root, path := storeSession(t)
	must(t, os.WriteFile(path, []byte(sessionFile+strings.Repeat("a", sessionAtCap)), 0o600))
	for _, level := range levels {
		res := validateSession(t, root, level)
		if res.Verdict != hook.VerdictValid || res.Session.NextAction != "finish it" || string(res.Session.Body) != sessionBody+strings.Repeat("a", sessionAtCap) {
			t.Errorf("%s: got %+v", level, res)
		}
	}
	must(t, os.RemoveAll(filepath.Dir(path)))
	if res := validateSession(t, root, snapshot.LevelStrict); res.Verdict != hook.VerdictMissing {
		t.Errorf("got %+v", res)
	}
}

// sessionProblems are what can be wrong with a session and not with a snapshot, and
// what the file as such must be for both.
var sessionProblems = []problem{
	{"symlink", instead(func(t *testing.T, path string) { must(t, os.Symlink(path+".real", path)) }), snapshot.CodeSymlink, session, both},
	{"symlinked folder", func(t *testing.T, path string) {
		dir := filepath.Dir(path)
		must(t, os.Rename(dir, dir+".real"))
		must(t, os.Symlink(dir+".real", dir))
	}, snapshot.CodeSymlink, sessionFolder + " is a symlink", both},
	{"FIFO", instead(func(t *testing.T, path string) { must(t, syscall.Mkfifo(path, 0o600)) }), snapshot.CodeNotRegular, "is a FIFO", both},
	{"above the cap", func(t *testing.T, path string) { must(t, os.Truncate(path, snapshot.MaxSessionBytes+1)) }, snapshot.CodeTooLarge, "32769 bytes; at most 32768", both},
	{"writable by the group", mode(0o620), snapshot.CodeWritableByOthers, "-rw--w----", passes},
	{"another's", owner(1), snapshot.CodeWrongOwner, "user", passes},
	{"another session", replace("id: "+session, "id: SESSION-20260521-134501"), snapshot.CodeSessionMismatch, "not " + session, passes},
	{"no layer 5", replace("## Layer 5", "## Layer 50"), snapshot.CodeMissingLayer, "## Layer 5", both},
	{"claim", replace(", verified: go test", ""), snapshot.CodeUnprovenClaim, `line 13 says "green"`, both},
}

func TestSessionProblems(t *testing.T) {
	for _, p := range sessionProblems {
		t.Run(p.name, func(t *testing.T) {
			root, path := storeSession(t)
			p.spoil(t, path)
			for _, level := range levels {
				res := validateSession(t, root, level)
				switch {
				case level == snapshot.LevelSchema && p.schema == passes:
					if res.Verdict != hook.VerdictValid {
						t.Errorf("%s: got %+v", level, res.Problem)
					}
				case res.Verdict != hook.VerdictMalformed || res.Session != nil || res.Problem.Code != p.code || !strings.Contains(res.Problem.Detail, p.detail):
					t.Errorf("%s: got %s, %+v", level, res.Verdict, res.Problem)
				}
			}
		})
	}
}
