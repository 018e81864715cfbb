package records

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stagehook/stagehook/sdk/identity"
)

const task = "TUNE-0254"

var now = time.Date(2026, 10, 2, 8, 0, 0, 0, time.UTC)

// The paths of the set that newSet makes, in the order of refusals.
const (
	atParent   = "datarim/acceptance/TUNE-0200.acceptance.yaml"
	atContract = "datarim/acceptance/TUNE-0254.acceptance.yaml"
	atGrant    = "datarim/authorizations/AUTH-7.yaml"
	atBrief    = "datarim/briefs/TUNE-0254.brief.yaml"
	atFolder   = "datarim/decisions/TUNE-0254"
	atFirst    = "datarim/decisions/TUNE-0254/DR-1.r1.yaml"
	atHead     = "datarim/decisions/TUNE-0254/DR-1.r2.yaml"
	atEvidence = "datarim/evidence/TUNE-0254.evidence.yaml"
	atInsights = "datarim/insights/INSIGHTS-TUNE-0254.md"
	atReport   = "datarim/qa/qa-report-TUNE-0254.md"
	atSnapshot = "datarim/snapshots/TUNE-0254.snapshot.md"
)

// set is the files of a workspace, by path. Until they are linked, "<PATH>" in
// one stands for the digest of another.
type set map[string]string

func newSet() set {
	return set{
		atContract: `kind: AcceptanceContract
schema_version: 1
task_id: TUNE-0254
revision: 2
parent: {task_id: TUNE-0200, digest: "<` + atParent + `>"}
scope: [research, design]
criteria:
  - {id: AC-1, text: "the writer survives kill -9"}
`,
		atParent: `kind: AcceptanceContract
schema_version: 1
task_id: TUNE-0200
revision: 1
scope: [research, design, implementation]
criteria:
  - {id: AC-1, text: all tasks are done}
`,
		atEvidence: `kind: TaskEvidence
schema_version: 1
task_id: TUNE-0254
revision: 7
acceptance: {revision: 2, digest: "<` + atContract + `>"}
decision: {id: DR-1, revision: 2, digest: "<` + atHead + `>"}
evidence:
  - {id: EV-1, criterion: AC-1, status: met, path: ` + atReport + `, digest: "<` + atReport + `>"}
`,
		atBrief: `kind: ProductBrief
schema_version: 1
id: PB-1
task_id: TUNE-0254
revision: 3
inputs:
  - {id: IN-1, path: ` + atInsights + `, revision: 4, digest: "<` + atInsights + `>"}
`,
		atFirst: decisionText("DR-1", 1, ""),
		atHead:  decisionText("DR-1", 2, "supersedes: {id: DR-1, revision: 1, digest: \"<"+atFirst+">\"}\n"),
		atGrant: `kind: Authorization
schema_version: 1
ref: AUTH-7
task_id: TUNE-0254
decision: {id: DR-1, revision: 2, digest: "<` + atHead + `>"}
parent_contract: "<` + atParent + `>"
scope: [implementation, review]
status: active
granted_by: operator
granted_at: 2026-10-01T12:05:00Z
expires_at: 2026-12-31T00:00:00Z
`,
		atInsights: "---\nrevision: 4\n---\n\n# Insights\n",
		atReport:   "# QA report\n\nAC-1 met\n",
	}
}

// decisionText is a decision of the set; supersedes is a line of it or empty.
func decisionText(id string, revision int, supersedes string) string {
	return fmt.Sprintf(`kind: DecisionRecord
schema_version: 1
id: %s
task_id: TUNE-0254
revision: %d
status: accepted
%scontract: {revision: 2, digest: "<%s>"}
brief: {id: PB-1, revision: 3, digest: "<%s>"}
authorization: AUTH-7
scope_advance: [implementation]
route: {command: "/dr-do TUNE-0254", token: advance}
decided_by: operator
decided_at: 2026-10-01T12:00:00Z
`, id, revision, supersedes, atContract, atBrief)
}

// withoutParent makes the task one without a parent.
func (s set) withoutParent() {
	s.replace(atContract, "parent: {task_id: TUNE-0200, digest: \"<"+atParent+">\"}\n", "")
	s.replace(atGrant, "parent_contract: \"<"+atParent+">\"", "parent_contract: \"<"+atContract+">\"")
	delete(s, atParent)
}

// replace changes a part of a file that is there once.
func (s set) replace(path, old, new string) {
	if strings.Count(s[path], old) != 1 {
		panic(fmt.Sprintf("%s holds %q %d times", path, old, strings.Count(s[path], old)))
	}
	s[path] = strings.Replace(s[path], old, new, 1)
}

// add puts a decision into the folder.
func (s set) add(name, id string, revision int, supersedes string) {
	s[atFolder+"/"+name] = decisionText(id, revision, supersedes)
}

// supersedes is the line of a decision that follows the one in a file.
func supersedes(id string, revision int, path string) string {
	return fmt.Sprintf("supersedes: {id: %s, revision: %d, digest: \"<%s>\"}\n", id, revision, path)
}

var link = regexp.MustCompile(`<([^<>\n]+\.(?:yaml|md))>`)

// linked puts the digests in. A file that leads to itself has none, and stands
// with zeros.
func (s set) linked() set {
	done, digests := set{}, map[string]string{}
	var resolve func(path string) string
	resolve = func(path string) string {
		if digests[path] == "" {
			digests[path] = "sha256:" + strings.Repeat("0", 64) // meanwhile
			text := link.ReplaceAllStringFunc(s[path], func(found string) string { return resolve(found[1 : len(found)-1]) })
			if _, ok := s[path]; ok {
				done[path], digests[path] = text, sha(text)
			}
		}
		return digests[path]
	}
	for _, path := range slices.Sorted(maps.Keys(s)) {
		resolve(path)
	}
	return done
}

func sha(text string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))) }

// memory is a Source. Files with an error in broken cannot be opened, or listed.
type memory struct {
	set
	broken map[string]error

	mu     sync.Mutex
	opened map[string]int
}

func newMemory(s set) *memory { return &memory{set: s, opened: map[string]int{}} }

func (m *memory) Open(name string) (io.ReadCloser, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.opened[name]++
	if err := m.broken[name]; err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	text, ok := m.set[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return io.NopCloser(iotest.HalfReader(strings.NewReader(text))), nil
}

func (m *memory) Names(folder string) ([]string, error) {
	if err := m.broken[folder]; err != nil {
		return nil, &fs.PathError{Op: "open", Path: folder, Err: err}
	}
	var names []string // in the random order of a map
	for name := range m.set {
		if path.Dir(name) == folder {
			names = append(names, path.Base(name))
		}
	}
	if names == nil {
		return nil, &fs.PathError{Op: "open", Path: folder, Err: fs.ErrNotExist}
	}
	return names, nil
}

var defaultGrammar = func() *identity.Grammar {
	grammar, err := identity.New(identity.Rules{})
	if err != nil {
		panic(err)
	}
	return grammar
}()

func query() Query { return Query{TaskID: task, Grammar: defaultGrammar, Now: now} }

// verify checks a linked set, and what holds for every report.
func verify(t testing.TB, source Source, q Query) *Report {
	t.Helper()
	report, err := Verify(t.Context(), source, q)
	if err != nil {
		t.Fatal(err)
	}
	checkReport(t, report)
	return report
}

// checkReport holds a report to what is true of all.
func checkReport(t testing.TB, report *Report) {
	t.Helper()
	res := report.Result
	if res.Fresh() == (len(res.Refusals) > 0) || res.Fresh() != (res.Route != nil) {
		t.Errorf("neither fresh nor refused: %+v", res)
	}
	for _, r := range res.Refusals {
		if r.Code == "" || r.Detail == "" || len(r.Detail) > maxDetailBytes || identity.Line("detail", r.Detail) != nil {
			t.Errorf("%s %s: detail %q", r.Path, r.Code, r.Detail)
		}
		if len(r.Path) > maxPathBytes || identity.Line("path", r.Path) != nil {
			t.Errorf("path %q", r.Path)
		}
		if !slices.ContainsFunc(report.Checks, func(c Check) bool {
			return !c.OK && c.Code == r.Code && c.Path == r.Path && c.Detail == r.Detail
		}) {
			t.Errorf("%s %s is no check", r.Path, r.Code)
		}
	}
}

// refusals lists the paths and codes of a report.
func refusals(report *Report) []string {
	list := []string{}
	for _, r := range report.Result.Refusals {
		list = append(list, r.Path+" "+r.Code)
	}
	return list
}
