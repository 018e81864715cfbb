package records

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk/snapshot"
)

// verifyCase is a change to the valid set and all that is refused for it; nothing
// means fresh.
type verifyCase struct {
	name   string
	edit   func(set)        // before the digests are put in
	after  func(set)        // and afterwards, which leaves them stale
	broken map[string]error // files that cannot be opened
	body   string           // of the snapshot
	clock  time.Duration    // from now
	want   []string         // "PATH CODE"
}

func replace(path, old, new string) func(set) { return func(s set) { s.replace(path, old, new) } }

func remove(paths ...string) func(set) {
	return func(s set) {
		for _, path := range paths {
			delete(s, path)
		}
	}
}

// all makes one change of several.
func all(edits ...func(set)) func(set) {
	return func(s set) {
		for _, edit := range edits {
			edit(s)
		}
	}
}

func run(t *testing.T, cases []verifyCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			files := newSet()
			if c.edit != nil {
				c.edit(files)
			}
			files = files.linked()
			if c.after != nil {
				c.after(files)
			}
			source := newMemory(files)
			source.broken = c.broken
			q := query()
			q.Now = q.Now.Add(c.clock)
			if c.body != "" {
				q.Body = []byte(c.body)
			}
			report := verify(t, source, q)
			if got := refusals(report); !slices.Equal(got, c.want) {
				t.Errorf("refused\n got  %s\n want %s", strings.Join(got, "\n      "), strings.Join(c.want, "\n      "))
				for _, r := range report.Result.Refusals {
					t.Logf("%s %s: %s", r.Path, r.Code, r.Detail)
				}
			}
			for path, times := range source.opened {
				if times > 1 {
					t.Errorf("%s was opened %d times", path, times)
				}
			}
		})
	}
}

var errIO = errors.New("input/output error")

func TestReading(t *testing.T) {
	run(t, []verifyCase{
		{name: "valid"},
		{name: "valid without a parent", edit: set.withoutParent},
		{
			name: "valid with nothing to authorize",
			edit: all(
				replace(atHead, "scope_advance: [implementation]", "scope_advance: []"),
				replace(atHead, "authorization: AUTH-7\n", ""),
				remove(atGrant),
			),
		},
		{
			name: "valid without a scope to advance to",
			edit: all(replace(atHead, "scope_advance: [implementation]\n", ""), remove(atGrant)),
		},
		{name: "nothing at all", edit: func(s set) { clear(s) }, want: []string{
			atContract + " records-missing", atBrief + " records-missing", atFolder + " records-missing", atEvidence + " records-missing",
		}},
		{name: "a projection and nothing else", edit: func(s set) { clear(s) }, body: projectionOf("DR-1@2"), want: []string{
			atContract + " records-missing", atBrief + " records-missing", atFolder + " records-missing", atEvidence + " records-missing",
		}},
		{name: "no evidence", edit: remove(atEvidence), want: []string{atEvidence + " records-missing"}},
		{name: "no contract", after: remove(atContract), want: []string{atContract + " records-missing"}},
		{name: "no brief", after: remove(atBrief), want: []string{atBrief + " records-missing"}},
		{name: "no decision", after: remove(atFirst, atHead), want: []string{
			atFolder + " records-missing", atEvidence + " decision-missing",
		}},
		{name: "no decision but a file of another kind", after: all(remove(atFirst, atHead), func(s set) {
			s[atFolder+"/README.md"], s[atFolder+"/.yaml"], s[atFolder+"/x.YAML"], s[atFolder+"/.x.yaml"] = "x", "x", "x", "x"
		}), want: []string{atFolder + " records-missing", atEvidence + " decision-missing"}},
		{name: "files of other kinds and other tasks", after: func(s set) {
			for i := range 200 {
				other := fmt.Sprintf("TUNE-%04d", 1000+i)
				s["datarim/evidence/"+other+".evidence.yaml"] = "%"
				s["datarim/decisions/"+other+"/DR-1.yaml"] = "%"
				s[atFolder+"/"+other+".yml"] = "%"
			}
		}},

		{name: "an IO error", broken: map[string]error{atBrief: errIO}, want: []string{atBrief + " record-unreadable"}},
		{name: "a folder that cannot be listed", broken: map[string]error{atFolder: errIO}, want: []string{
			atFolder + " record-unreadable", atEvidence + " decision-missing",
		}},
		{name: "a decision that cannot be opened", broken: map[string]error{atFirst: errIO}, want: []string{
			atFirst + " record-unreadable", atHead + " chain-broken",
		}},
		{name: "an authorization that cannot be opened", broken: map[string]error{atGrant: errIO}, want: []string{atGrant + " record-unreadable"}},
		{name: "a parent that cannot be opened", broken: map[string]error{atParent: errIO}, want: []string{atParent + " record-unreadable"}},
		{name: "evidence that cannot be opened", broken: map[string]error{atReport: errIO}, want: []string{atReport + " record-unreadable"}},
		{name: "an input that cannot be opened", broken: map[string]error{atInsights: errIO}, want: []string{atInsights + " record-unreadable"}},
		{name: "a record of the largest size", edit: func(s set) { s.pad(atContract, maxRecordBytes) }},
		{name: "a record that is too large", edit: func(s set) { s.pad(atContract, maxRecordBytes+1) }, want: []string{atContract + " record-unreadable"}},

		{name: "another task's evidence", edit: replace(atEvidence, "TUNE-0254\nrev", "TUNE-0255\nrev"), want: []string{atEvidence + " task-mismatch"}},
		{name: "another task's contract", edit: replace(atContract, "task_id: TUNE-0254", "task_id: TUNE-0255"), want: []string{atContract + " task-mismatch"}},
		{name: "another task's brief", edit: replace(atBrief, "task_id: TUNE-0254", "task_id: TUNE-0255"), want: []string{atBrief + " task-mismatch"}},
		{name: "another task's decision", edit: replace(atFirst, "task_id: TUNE-0254", "task_id: TUNE-0255"), want: []string{atFirst + " task-mismatch"}},
		{name: "another task's parent", edit: replace(atParent, "task_id: TUNE-0200", "task_id: TUNE-0201"), want: []string{atParent + " task-mismatch"}},
	})
}

// pad makes a file as large as it is told, by a comment.
func (s set) pad(path string, size int) {
	linked := len(s.linked()[path])
	s[path] += "#" + strings.Repeat("x", size-linked-2) + "\n"
}

func TestContracts(t *testing.T) {
	stale := []string{atHead + " acceptance-stale", atEvidence + " acceptance-stale"}
	run(t, []verifyCase{
		{name: "evidence names another revision", edit: replace(atEvidence, "acceptance: {revision: 2", "acceptance: {revision: 1"), want: stale[1:]},
		{name: "evidence names another digest", edit: replace(atEvidence, "<"+atContract+">", "<"+atBrief+">"), want: stale[1:]},
		{name: "the decision names another revision", edit: replace(atHead, "contract: {revision: 2", "contract: {revision: 3"), want: stale[:1]},
		{name: "the decision names another digest", edit: replace(atHead, "<"+atContract+">", "<"+atParent+">"), want: stale[:1]},
		{name: "the first decision was made under another contract", edit: replace(atFirst, "contract: {revision: 2, digest: \"<"+atContract, "contract: {revision: 1, digest: \"<"+atBrief)},
		{name: "the contract changed afterwards", after: replace(atContract, "scope: [research, design]", "scope: [research]"), want: stale},

		{name: "no parent", after: remove(atParent), want: []string{atParent + " parent-missing"}},
		{name: "the parent changed", after: replace(atParent, "all tasks", "some tasks"), want: []string{
			atContract + " parent-mismatch", atGrant + " parent-contract-mismatch",
		}},
		{name: "a contract is its own parent", edit: replace(atContract, "task_id: TUNE-0200", "task_id: TUNE-0254"), want: []string{atContract + " parent-mismatch"}},
		{name: "parents in a cycle", edit: func(s set) {
			s.addParents(2)
			s[parentPath(301)] += "parent: {task_id: TUNE-0200, digest: \"<" + atParent + ">\"}\n"
		}, want: []string{
			parentPath(301) + " parent-mismatch",
		}},
		{name: "64 parents", edit: func(s set) { s.addParents(64) }},
		{name: "65 parents", edit: func(s set) { s.addParents(65) }, want: []string{parentPath(363) + " parent-mismatch"}},
		{name: "the parent's parent is missing", edit: func(s set) { s.addParents(2) }, after: remove(parentPath(301)), want: []string{
			parentPath(301) + " parent-missing",
		}},
		{name: "the parent's parent is malformed", edit: func(s set) { s.addParents(2) }, after: func(s set) { s[parentPath(301)] = "" }, want: []string{
			parentPath(301) + " record-malformed",
		}},
	})
}

func parentPath(n int) string { return fmt.Sprintf("datarim/acceptance/TUNE-%04d.acceptance.yaml", n) }

// addParents gives the task as many parents above each other: TUNE-0200, then
// TUNE-0301 and so on.
func (s set) addParents(count int) {
	below := atParent
	for n := 301; n < 300+count; n++ {
		s[parentPath(n)] = strings.ReplaceAll(newSet()[atParent], "TUNE-0200", fmt.Sprintf("TUNE-%04d", n))
		s[below] += fmt.Sprintf("parent: {task_id: TUNE-%04d, digest: \"<%s>\"}\n", n, parentPath(n))
		below = parentPath(n)
	}
}

func TestEvidence(t *testing.T) {
	refused := []string{atEvidence + " evidence-mismatch"}
	run(t, []verifyCase{
		{name: "the file changed", after: func(s set) { s[atReport] += "x" }, want: refused},
		{name: "the file is missing", after: remove(atReport), want: refused},
		{name: "a criterion that the contract does not have", edit: replace(atEvidence, "criterion: AC-1", "criterion: AC-2"), want: refused},
		{name: "a criterion in other case", edit: replace(atEvidence, "criterion: AC-1", "criterion: ac-1"), want: refused},
		{name: "both", edit: replace(atEvidence, "criterion: AC-1", "criterion: AC-2"), after: remove(atReport), want: []string{refused[0], refused[0]}},
		{name: "no evidence yet", edit: func(s set) {
			s[atEvidence] = s[atEvidence][:strings.Index(s[atEvidence], "evidence:\n")] + "evidence: []\n"
		}},
		{name: "every status counts", edit: replace(atEvidence, "status: met", "status: missed")},
		{name: "one file is evidence a thousand times", edit: func(s set) {
			for i := range 1000 {
				s[atEvidence] += fmt.Sprintf("  - {id: X-%d, criterion: AC-1, status: n-a, path: %s, digest: \"<%s>\"}\n", i, atReport, atReport)
			}
		}},
		{name: "records and inputs are evidence", edit: func(s set) {
			for i, path := range []string{atContract, atParent, atGrant, atBrief, atFirst, atHead, atInsights} {
				s[atEvidence] += fmt.Sprintf("  - {id: X-%d, criterion: AC-1, status: met, path: %s, digest: \"<%s>\"}\n", i, path, path)
			}
		}},
		{name: "the evidence itself is evidence", edit: replace(atEvidence, "path: "+atReport, "path: "+atEvidence), want: refused},
		{name: "a path to outside", edit: func(s set) {
			for i, path := range []string{"../x", "..", "/", "/etc/passwd", "../../" + atReport} {
				s[atEvidence] += fmt.Sprintf("  - {id: X-%d, criterion: AC-1, status: met, path: %s, digest: \"<%s>\"}\n", i, path, atReport)
			}
		}, want: slices.Repeat([]string{atEvidence + " record-unreadable"}, 5)},
	})
}

func TestInputs(t *testing.T) {
	refused := []string{atBrief + " brief-input-stale"}
	front := func(text string) func(set) { return func(s set) { s[atInsights] = text } }
	run(t, []verifyCase{
		{name: "the file changed", after: func(s set) { s[atInsights] += "x" }, want: refused},
		{name: "the file is missing", after: remove(atInsights), want: refused},
		{name: "its revision differs", edit: front("---\nrevision: 5\n---\n"), want: refused},
		{name: "digest and revision differ", after: front("---\nrevision: 5\n---\n"), want: []string{refused[0], refused[0]}},
		{name: "its revision is in quotes", edit: front("---\ntitle: x\nrevision: '4'\n---\n")},
		{name: "its revision is spelled otherwise", edit: front("---\nrevision: 04\n---\n"), want: refused},
		{name: "its revision is empty", edit: front("---\nrevision:\n---\n"), want: refused},
		{name: "its revision is a list", edit: front("---\nrevision: [4]\n---\n"), want: refused},
		{name: "its revision is an alias", edit: front("---\na: &4 5\nrevision: *4\n---\n"), want: refused},
		{name: "two revisions, one of them right", edit: front("---\nrevision: 4\nrevision: 5\n---\n"), want: refused},
		{name: "its front matter cannot be read", edit: front("---\nrevision: 5\nx: [\n---\n"), want: refused},
		{name: "its front matter holds other things", edit: front("---\nx: &a !!str 1\ny: *a\n---\n")},
		{name: "its front matter is empty", edit: front("---\n---\n")},
		{name: "its front matter is a text", edit: front("---\nrevision 5\n---\n")},
		{name: "blanks, carriage returns and a byte order mark", edit: front("\uFEFF--- \r\nrevision: 5\r\n---\t\r\n"), want: refused},
		{name: "a front matter that ends with dots", edit: front("---\nrevision: 5\n...\n"), want: refused},
		{name: "a front matter that ends at the end", edit: front("---\nrevision: 5\n---"), want: refused},
		{name: "a front matter that never ends is none", edit: front("---\nrevision: 5\n")},
		{name: "a rule is no fence", edit: front("----\nrevision: 5\n---\n")},
		{name: "a fence further down", edit: front("# x\n---\nrevision: 5\n---\n")},
		{name: "a front matter as long as it may be", edit: front("---\n" + comment(maxRecordBytes-20) + "revision: 4\n---\n" + "rest\n")},
		{name: "a front matter behind which more may come", edit: front("---\n" + comment(maxRecordBytes-16) + "revision: 4\n---\n"), want: refused},
		{name: "an empty file", edit: front("")},
		{name: "no inputs", edit: func(s set) { s[atBrief] = s[atBrief][:strings.Index(s[atBrief], "inputs:")] + "inputs: []\n" }},
		{name: "a path to outside", edit: replace(atBrief, "path: "+atInsights, "path: ../x.md"), want: []string{atBrief + " record-unreadable"}},
		{name: "a file of the largest size", edit: front(strings.Repeat("x", maxInputBytes))},
		{name: "a file that is too large", edit: front(strings.Repeat("x", maxInputBytes+1)), want: []string{atInsights + " record-unreadable"}},
		{name: "a decision that begins and ends as a front matter does", edit: all(
			func(s set) { s[atFirst] = "---\n" + s[atFirst] + "...\n" },
			func(s set) {
				s[atBrief] += "  - {id: IN-2, path: " + atParent + ", revision: 9, digest: \"<" + atParent + ">\"}\n"
				s[atParent] = "---\n" + s[atParent] + "...\n"
			},
		), want: refused},
	})
}

func comment(size int) string { return "#" + strings.Repeat("x", size-2) + "\n" }

func TestHead(t *testing.T) {
	run(t, []verifyCase{
		{name: "evidence names no decision", edit: replace(atEvidence, "id: DR-1, revision: 2", "id: DR-1, revision: 3"), want: []string{atEvidence + " decision-missing"}},
		{name: "evidence names an ID in other case", edit: replace(atEvidence, "id: DR-1", "id: dr-1"), want: []string{atEvidence + " decision-missing"}},
		{name: "evidence names an older decision", edit: replace(atEvidence, "id: DR-1, revision: 2, digest: \"<"+atHead, "id: DR-1, revision: 1, digest: \"<"+atFirst), want: []string{atEvidence + " decision-mismatch"}},
		{name: "evidence names another digest", edit: replace(atEvidence, "<"+atHead+">", "<"+atFirst+">"), want: []string{atEvidence + " decision-mismatch"}},
		{name: "the head is gone", after: remove(atHead), want: []string{
			atGrant + " authorization-mismatch", atEvidence + " decision-missing",
		}},
		{name: "proposed", edit: replace(atHead, "status: accepted", "status: proposed"), want: []string{atHead + " decision-not-accepted"}},
		{name: "withdrawn", edit: replace(atHead, "status: accepted", "status: withdrawn"), want: []string{atHead + " decision-not-accepted"}},
		{name: "the first decision was withdrawn", edit: replace(atFirst, "status: accepted", "status: withdrawn")},
		{name: "another brief", edit: replace(atHead, "brief: {id: PB-1", "brief: {id: PB-2"), want: []string{atHead + " brief-mismatch"}},
		{name: "another revision of the brief", edit: replace(atHead, "brief: {id: PB-1, revision: 3", "brief: {id: PB-1, revision: 2"), want: []string{atHead + " brief-mismatch"}},
		{name: "the brief changed", after: func(s set) { s[atBrief] += "# x\n" }, want: []string{atHead + " brief-mismatch"}},
		{name: "hold", edit: replace(atHead, "token: advance", "token: hold"), want: []string{atHead + " route-hold"}},
		{name: "return", edit: replace(atHead, "token: advance", "token: return")},
		{name: "close", edit: replace(atHead, "token: advance", "token: close")},
	})
}

func TestChain(t *testing.T) {
	third := atFolder + "/DR-1.r3.yaml"
	other := atFolder + "/other.yaml"
	run(t, []verifyCase{
		{name: "the same bytes twice", edit: func(s set) { s[other], s[atFolder+"/a.yaml"] = s[atHead], s[atFirst] }},
		{name: "files in the order of other names", edit: func(s set) {
			for path, text := range s {
				s[path] = strings.ReplaceAll(strings.ReplaceAll(text, "<"+atFirst+">", "<"+atFolder+"/z.yaml>"), "<"+atHead+">", "<"+atFolder+"/a.yaml>")
			}
			s[atFolder+"/a.yaml"], s[atFolder+"/z.yaml"] = s[atHead], s[atFirst]
			remove(atHead, atFirst)(s)
		}},
		{name: "a new ID", edit: all(
			func(s set) { s[atHead] = decisionText("DR-2", 1, supersedes("DR-1", 1, atFirst)) },
			replace(atEvidence, "id: DR-1, revision: 2", "id: DR-2, revision: 1"),
			replace(atGrant, "id: DR-1, revision: 2", "id: DR-2, revision: 1"),
		)},
		{name: "a new ID that does not start at 1", edit: func(s set) { s[atHead] = decisionText("DR-2", 2, supersedes("DR-1", 1, atFirst)) }, want: []string{
			atGrant + " authorization-mismatch", atHead + " chain-broken", atEvidence + " decision-missing",
		}},

		{name: "two supersede the same", edit: func(s set) { s.add("other.yaml", "DR-2", 1, supersedes("DR-1", 1, atFirst)) }, want: []string{other + " chain-fork"}},
		{name: "two supersede the same, deeper down", edit: func(s set) {
			s.add("DR-1.r3.yaml", "DR-1", 3, supersedes("DR-1", 2, atHead))
			s.add("other.yaml", "DR-2", 1, supersedes("DR-1", 1, atFirst))
		}, want: []string{other + " chain-fork", atEvidence + " decision-mismatch"}},
		{name: "the next one is malformed", edit: func(s set) {
			s[atFolder+"/DR-1.r3.yaml"] = "x"
		}, want: []string{atFolder + "/DR-1.r3.yaml record-malformed"}},
		{name: "the one that the evidence names is malformed", after: func(s set) { s[atHead] += "x: y\n" }, want: []string{atHead + " record-malformed"}},
		{name: "three supersede the same", edit: func(s set) {
			s.add("other.yaml", "DR-2", 1, supersedes("DR-1", 1, atFirst))
			s.add("third.yaml", "DR-3", 1, supersedes("DR-1", 1, atFirst))
		}, want: []string{other + " chain-fork", atFolder + "/third.yaml chain-fork"}},
		{name: "two first decisions", edit: func(s set) { s.add("other.yaml", "DR-2", 1, "") }, want: []string{other + " chain-fork"}},
		{name: "a revision twice at the head", edit: func(s set) { s[other] = s[atHead] + "# x\n" }, want: []string{other + " chain-fork"}},
		{name: "a revision twice, first by name", edit: func(s set) { s[atFolder+"/A.yaml"] = s[atHead] + "# x\n" }, want: []string{atHead + " chain-fork"}},
		{name: "a revision twice further down", edit: func(s set) { s[other] = s[atFirst] + "# x\n" }, want: []string{other + " chain-fork"}},
		{name: "a revision three times", edit: func(s set) { s[other], s[atFolder+"/third.yaml"] = s[atFirst]+"# x\n", s[atFirst]+"# y\n" }, want: []string{
			other + " chain-fork", atFolder + "/third.yaml chain-fork",
		}},
		{name: "a revision twice, superseding different ones", edit: func(s set) {
			s[other] = strings.Replace(s[atHead], supersedes("DR-1", 1, atFirst), "", 1)
		}, want: []string{other + " chain-broken", other + " chain-fork", other + " chain-fork"}},

		{name: "a link that dangles", after: remove(atFirst), want: []string{atHead + " chain-broken"}},
		{name: "a link of another digest", after: func(s set) { s[atFirst] += "# x\n" }, want: []string{atHead + " chain-broken"}},
		{name: "a link to an ID in other case", edit: replace(atHead, "supersedes: {id: DR-1", "supersedes: {id: dr-1"), want: []string{
			atHead + " chain-broken", atHead + " chain-broken",
		}},
		{name: "a first decision that is no first revision", edit: replace(atFirst, "\nrevision: 1", "\nrevision: 3"), want: []string{
			atFirst + " chain-broken", atHead + " chain-broken",
		}},
		{name: "a revision left out", edit: func(s set) { s.add("DR-1.r3.yaml", "DR-1", 4, supersedes("DR-1", 2, atHead)) }, want: []string{
			atGrant + " authorization-mismatch", third + " chain-broken", atEvidence + " decision-mismatch",
		}},
		{name: "the largest revision", edit: func(s set) { s.add("DR-1.r3.yaml", "DR-1", 3, supersedes("DR-1", 999999999, atHead)) }, want: []string{
			third + " chain-broken", third + " chain-broken",
		}},

		{name: "a decision supersedes itself", edit: func(s set) { s.add("other.yaml", "DR-2", 1, supersedes("DR-2", 1, other)) }, want: []string{
			other + " chain-broken", other + " chain-broken", other + " chain-cycle",
		}},
		{name: "a cycle and nothing else", edit: func(s set) { s[atFirst] = decisionText("DR-1", 1, supersedes("DR-1", 2, atHead)) }, want: []string{
			atFirst + " chain-broken", atFirst + " chain-broken", atFirst + " chain-cycle", atEvidence + " decision-mismatch",
		}},
		{name: "a cycle beside the chain", edit: func(s set) {
			for i, to := range []int{2, 3, 1} {
				s.add(fmt.Sprintf("x%d.yaml", i+1), fmt.Sprintf("X-%d", i+1), 1, supersedes(fmt.Sprintf("X-%d", to), 1, fmt.Sprintf("%s/x%d.yaml", atFolder, to)))
			}
		}, want: []string{
			atFolder + "/x1.yaml chain-cycle", atFolder + "/x3.yaml chain-broken",
		}},
	})
}

func projectionOf(decision string) string {
	return "text\n<!-- research-projection: task=TUNE-0254 decision=" + decision + " digest=sha256:" + strings.Repeat("a", 64) + " -->\ntext\n"
}

func TestProjection(t *testing.T) {
	digest := "digest=sha256:" + strings.Repeat("a", 64)
	line := func(text string) string { return snapshot.ProjectionStart + text }
	malformed := []string{atSnapshot + " record-malformed"}
	ahead := []string{atSnapshot + " projection-ahead"}
	run(t, []verifyCase{
		{name: "of the head", body: projectionOf("DR-1@2")},
		{name: "older", body: projectionOf("DR-1@1")},
		{name: "a later one", body: projectionOf("DR-1@3"), want: ahead},
		{name: "an unknown one", body: projectionOf("DR-2@1"), want: ahead},
		{name: "in other case", body: projectionOf("dr-1@2"), want: ahead},
		{name: "of records that were rolled back", edit: func(s set) { s.rollBack() }, body: projectionOf("DR-1@2"), want: ahead},
		{name: "two, of which one is later", body: projectionOf("DR-1@3") + projectionOf("DR-1@1"), want: ahead},
		{name: "other order, other blanks", body: line(digest + "\tdecision=DR-1@2  task=TUNE-0254-->\r\n")},
		{name: "of another task", body: line(" task=TUNE-0255 decision=DR-9@9 " + digest + " -->"), want: []string{atSnapshot + " task-mismatch"}},
		{name: "of a task in no form", body: line(" task=tune decision=DR-1@2 " + digest + " -->"), want: malformed},
		{name: "empty", body: line(" -->"), want: malformed},
		{name: "not closed", body: line(" task=TUNE-0254 decision=DR-1@2 " + digest), want: malformed},
		{name: "cut in its start", body: "<!-- research-projection:", want: malformed},
		{name: "more behind it", body: line(" task=TUNE-0254 decision=DR-1@2 " + digest + " --> x"), want: malformed},
		{name: "no task", body: line(" decision=DR-1@2 " + digest + " -->"), want: malformed},
		{name: "no decision", body: line(" task=TUNE-0254 " + digest + " -->"), want: malformed},
		{name: "no digest", body: line(" task=TUNE-0254 decision=DR-1@2 -->"), want: malformed},
		{name: "an unknown attribute", body: line(" task=TUNE-0254 decision=DR-1@2 x=y " + digest + " -->"), want: malformed},
		{name: "another in place of one", body: line(" task=TUNE-0254 decision=DR-1@2 x=y -->"), want: malformed},
		{name: "an attribute twice", body: line(" task=TUNE-0254 task=TUNE-0254 decision=DR-1@2 " + digest + " -->"), want: malformed},
		{name: "an attribute in other case", body: line(" Task=TUNE-0254 decision=DR-1@2 " + digest + " -->"), want: malformed},
		{name: "no revision", body: projectionOf("DR-1"), want: malformed},
		{name: "no ID", body: projectionOf("@1"), want: malformed},
		{name: "an ID in no form", body: projectionOf("D/R@1"), want: malformed},
		{name: "revision 0", body: projectionOf("DR-1@0"), want: malformed},
		{name: "revision 02", body: projectionOf("DR-1@02"), want: malformed},
		{name: "revision of twenty digits", body: projectionOf("DR-1@99999999999999999999"), want: malformed},
		{name: "a digest in upper case", body: line(" task=TUNE-0254 decision=DR-1@2 digest=sha256:" + strings.Repeat("A", 64) + " -->"), want: malformed},
		{name: "not at the start of a line", body: "text " + line(" -->")},
		{name: "a later one, but no head", after: remove(atFirst, atHead), body: projectionOf("DR-1@3"), want: []string{
			atFolder + " records-missing", atEvidence + " decision-missing",
		}},
	})
}

// rollBack makes the first decision the head, in all that name it.
func (s set) rollBack() {
	delete(s, atHead)
	s.replace(atEvidence, "id: DR-1, revision: 2, digest: \"<"+atHead, "id: DR-1, revision: 1, digest: \"<"+atFirst)
	s.replace(atGrant, "id: DR-1, revision: 2, digest: \"<"+atHead, "id: DR-1, revision: 1, digest: \"<"+atFirst)
}

// One refusal hides no other.
func TestAllRefusalsAreReported(t *testing.T) {
	run(t, []verifyCase{{
		name: "much at once",
		edit: all(
			replace(atEvidence, "acceptance: {revision: 2", "acceptance: {revision: 1"),
			replace(atEvidence, "criterion: AC-1", "criterion: AC-2"),
			replace(atHead, "status: accepted", "status: proposed"),
			replace(atHead, "token: advance", "token: hold"),
			replace(atHead, "brief: {id: PB-1", "brief: {id: PB-2"),
			replace(atHead, "contract: {revision: 2", "contract: {revision: 1"),
			replace(atHead, "[implementation]", "[implementation, deployment]"),
			replace(atGrant, "status: active", "status: revoked"),
			replace(atGrant, "task_id: TUNE-0254", "task_id: TUNE-0255"),
		),
		after: all(
			func(s set) { s[atParent] += "# x\n" },
			func(s set) { s[atInsights] += "x" },
			func(s set) { s[atFirst] = s[atFirst][:100] },
			remove(atReport),
		),
		body: projectionOf("DR-1@3") + projectionOf("DR-1@x"),
		want: []string{
			atContract + " parent-mismatch",
			atGrant + " authorization-inactive", atGrant + " authorization-mismatch", atGrant + " parent-contract-mismatch",
			atBrief + " brief-input-stale",
			atFirst + " record-malformed",
			atHead + " acceptance-stale", atHead + " brief-mismatch", atHead + " chain-broken",
			atHead + " decision-not-accepted", atHead + " route-hold",
			atHead + " scope-exceeded", atHead + " scope-exceeded",
			atEvidence + " acceptance-stale", atEvidence + " evidence-mismatch", atEvidence + " evidence-mismatch",
			atSnapshot + " projection-ahead", atSnapshot + " record-malformed",
		},
	}})
}
