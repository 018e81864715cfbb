package route

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const task = "TUNE-0254"

// The paths of the records that newSet makes.
const (
	atContract = "datarim/acceptance/TUNE-0254.acceptance.yaml"
	atParent   = "datarim/acceptance/TUNE-0200.acceptance.yaml"
	atBrief    = "datarim/briefs/TUNE-0254.brief.yaml"
	atFolder   = "datarim/decisions/TUNE-0254"
	atGrant    = "datarim/authorizations/AUTH-7.yaml"
	atEvidence = "datarim/evidence/TUNE-0254.evidence.yaml"
	atInsights = "datarim/insights/INSIGHTS-TUNE-0254.md"
	atReport   = "datarim/qa/qa-report-TUNE-0254.md"
)

// set is sound records and the token that they give.
type set struct {
	files map[string]string // by path
	token string
}

// newSet makes records with a chain of so many revisions. Each file differs from
// that of a set for another command, which has no arguments.
func newSet(command string, revisions int) set {
	s := set{files: map[string]string{}}
	put := func(path, format string, values ...any) string {
		s.files[path] = fmt.Sprintf(format, values...) + "# for " + command + "\n"
		return sum(s.files[path])
	}
	report := put(atReport, "# QA report\n\n")
	insights := put(atInsights, "---\nrevision: 4\n---\n\n")
	parent := put(atParent, "kind: AcceptanceContract\nschema_version: 1\ntask_id: TUNE-0200\nrevision: 1\n"+
		"scope: [research, implementation]\ncriteria: []\n")
	contract := put(atContract, "kind: AcceptanceContract\nschema_version: 1\ntask_id: TUNE-0254\nrevision: 2\n"+
		"parent: {task_id: TUNE-0200, digest: %q}\nscope: [research]\ncriteria: [{id: AC-1, text: it works}]\n", parent)
	brief := put(atBrief, "kind: ProductBrief\nschema_version: 1\nid: PB-1\ntask_id: TUNE-0254\nrevision: 3\n"+
		"inputs: [{id: IN-1, path: %s, revision: 4, digest: %q}]\n", atInsights, insights)
	decision, supersedes := "", ""
	for n := 1; n <= revisions; n++ {
		decision = put(fmt.Sprintf("%s/DR-1.r%d.yaml", atFolder, n), "kind: DecisionRecord\nschema_version: 1\nid: DR-1\ntask_id: TUNE-0254\n"+
			"revision: %d\nstatus: accepted\n%scontract: {revision: 2, digest: %q}\nbrief: {id: PB-1, revision: 3, digest: %q}\n"+
			"authorization: AUTH-7\nscope_advance: [implementation]\nroute: {command: %s TUNE-0254, token: advance}\n"+
			"decided_by: operator\ndecided_at: 2026-10-01T12:00:00Z\n", n, supersedes, contract, brief, command)
		supersedes = fmt.Sprintf("supersedes: {id: DR-1, revision: %d, digest: %q}\n", n, decision)
	}
	grant := put(atGrant, "kind: Authorization\nschema_version: 1\nref: AUTH-7\ntask_id: TUNE-0254\n"+
		"decision: {id: DR-1, revision: %d, digest: %q}\nparent_contract: %q\nscope: [implementation]\nstatus: active\n"+
		"granted_by: operator\ngranted_at: 2026-10-01T12:05:00Z\nexpires_at: 2026-12-31T00:00:00Z\n", revisions, decision, parent)
	put(atEvidence, "kind: TaskEvidence\nschema_version: 1\ntask_id: TUNE-0254\nrevision: 7\n"+
		"acceptance: {revision: 2, digest: %q}\ndecision: {id: DR-1, revision: %d, digest: %q}\n"+
		"evidence: [{id: EV-1, criterion: AC-1, status: met, path: %s, digest: %q}]\n", contract, revisions, decision, atReport, report)
	digests := sum(strings.Join([]string{contract, parent, brief, decision, grant}, "\n") + "\n")
	s.token = fmt.Sprintf("advance:DR-1@%d:%s", revisions, digests[len("sha256:"):][:12])
	return s
}

func sum(text string) string {
	digest := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(digest[:])
}

// store writes the set to a new workspace and returns its root.
func (s set) store(t testing.TB) string {
	t.Helper()
	root := t.TempDir()
	for path, text := range s.files {
		put(t, root, path, text)
	}
	return root
}

// put gives a file a content, and fails the test when it cannot.
func put(t testing.TB, root, path, text string) {
	t.Helper()
	if err := replace(root, path, text); err != nil {
		t.Fatal(err)
	}
}

// replace gives a file a content at one instant.
func replace(root, path, text string) error {
	path = filepath.Join(root, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
