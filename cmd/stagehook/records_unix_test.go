//go:build unix

package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk/snapshot"
)

// refusals gives, for each code, what to do to sound records to be refused so.
var refusals = map[string]func(recordSet){
	"records-missing": func(s recordSet) { delete(s, atBrief) },
	"record-unreadable": func(s recordSet) {
		delete(s, atBrief)
		s[atBrief+"/file"] = ""
	},
	"record-malformed":  func(s recordSet) { s[atBrief] += "extra: key\n" },
	"task-mismatch":     func(s recordSet) { s.change(atBrief, "task_id: TUNE-0254", "task_id: TUNE-0255") },
	"acceptance-stale":  func(s recordSet) { s.change(atEvidence, "acceptance:\n  revision: 2", "acceptance:\n  revision: 1") },
	"parent-missing":    func(s recordSet) { delete(s, atParent) },
	"parent-mismatch":   func(s recordSet) { s.change(atContract, "<"+atParent+">", digestOfText("another")) },
	"evidence-mismatch": func(s recordSet) { s.change(atEvidence, "criterion: AC-1", "criterion: AC-9") },
	"decision-missing":  func(s recordSet) { s.change(atEvidence, "id: DR-1\n  revision: 2", "id: DR-1\n  revision: 3") },
	"decision-mismatch": func(s recordSet) { s.change(atEvidence, "id: DR-1\n  revision: 2", "id: DR-1\n  revision: 1") },
	"chain-fork":        func(s recordSet) { s["datarim/decisions/TUNE-0254/also.yaml"] = s[atHead] + "# with another byte\n" },
	"chain-broken":      func(s recordSet) { delete(s, atFirst) },
	"chain-cycle": func(s recordSet) {
		s[atFirst] += "supersedes: {id: DR-1, revision: 2, digest: " + digestOfText("") + "}\n"
	},
	"decision-not-accepted":    func(s recordSet) { s.change(atHead, "status: accepted", "status: withdrawn") },
	"brief-mismatch":           func(s recordSet) { s.change(atHead, "id: PB-1\n  revision: 3", "id: PB-1\n  revision: 2") },
	"brief-input-stale":        func(s recordSet) { s.change(atBrief, "revision: 4", "revision: 5") },
	"authorization-missing":    func(s recordSet) { delete(s, atGrant) },
	"authorization-mismatch":   func(s recordSet) { s.change(atGrant, "ref: AUTH-7", "ref: AUTH-8") },
	"authorization-inactive":   func(s recordSet) { s.change(atGrant, "status: active", "status: revoked") },
	"parent-contract-mismatch": func(s recordSet) { s.change(atGrant, "<"+atParent+">", "<"+atContract+">") },
	"scope-exceeded":           func(s recordSet) { s.change(atGrant, "- implementation", "- review") },
	"projection-ahead":         func(recordSet) {}, // it is in the snapshot
	"route-hold":               func(s recordSet) { s.change(atHead, "token: advance", "token: hold") },
}

// storeSnapshot stores a snapshot of the task, whose projection names a revision
// of the decision.
func storeSnapshot(t testing.TB, root, revision string) {
	t.Helper()
	body := "Done.\n<!-- research-projection: task=TUNE-0254 decision=DR-1@" + revision + " digest=" + digestOfText("") + " -->\n"
	text, _, err := snapshot.Render(snapshot.Snapshot{
		TaskID: "TUNE-0254", Stage: "plan", Command: "/dr-plan", CapturedBy: "agent", RecommendedNext: "/dr-archive",
		CapturedAt: time.Date(2026, 5, 21, 13, 45, 0, 0, time.UTC), Body: []byte(body),
	}, snapshot.RenderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, filepath.FromSlash(snapshot.Path("TUNE-0254")))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// recordsCommand runs a command for the task to its end.
func recordsCommand(t testing.TB, root string, args ...string) *call {
	t.Helper()
	c := callIn(t, root)
	c.Args = slices.Concat([]string{"stagehook"}, args, []string{"--task", "TUNE-0254", "--root", root})
	return c.run()
}

// refusedWorkspace makes a workspace whose records are refused with the code.
func refusedWorkspace(t *testing.T, code string) (root string) {
	t.Helper()
	root, set := t.TempDir(), sampleRecords(t)
	refusals[code](set)
	if err := set.store(root); err != nil {
		t.Fatal(err)
	}
	storeSnapshot(t, root, map[bool]string{true: "9", false: "1"}[code == "projection-ahead"])
	return root
}

// Whatever is wrong with the records, no prompt is printed, and a person is told
// the same as the caller.
func TestEveryRefusalEndsAResume(t *testing.T) {
	for code := range refusals {
		t.Run(code, func(t *testing.T) {
			root := refusedWorkspace(t, code)
			resumed := recordsCommand(t, root, "resume")
			lines := resumed.stderr.String()
			if resumed.code != exitRefused || resumed.stdout.Len() > 0 || !strings.Contains(lines, "stagehook: route refused: "+code+": ") {
				t.Errorf("resume: exit code %d, %q\n%s", resumed.code, resumed.stdout.String(), lines)
			}
			checked := recordsCommand(t, root, "records", "check")
			if checked.code != exitRefused {
				t.Errorf("records check: exit code %d", checked.code)
			}
			for line := range strings.Lines(lines) {
				_, rest, _ := strings.Cut(strings.TrimSpace(line), "route refused: ")
				code, rest, _ := strings.Cut(rest, ": ")
				path, detail, _ := strings.Cut(rest, ": ")
				if check := "✘ " + path + ": " + code + ": " + detail + "\n"; !strings.Contains(checked.stdout.String(), check) {
					t.Errorf("records check does not show %q:\n%s", check, checked.stdout.String())
				}
			}
		})
	}
}

// Who adds a code adds what leads to it, and tells its readers.
func TestEveryRefusalIsKnown(t *testing.T) {
	source, err := os.ReadFile("../../sdk/records/code.go")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/records.md")
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, match := range regexp.MustCompile(`= "([a-z-]+)"`).FindAllStringSubmatch(string(source), -1) {
		codes = append(codes, match[1])
		if strings.Count(string(page), "\n| `"+match[1]+"` |") != 1 {
			t.Errorf("docs/records.md has no row for %s", match[1])
		}
	}
	if want := slices.Sorted(maps.Keys(refusals)); !slices.Equal(slices.Sorted(slices.Values(codes)), want) {
		t.Errorf("the codes are %q; tried are %q", codes, want)
	}
}

// While records are exchanged a resume is refused or follows the one set or the
// other.
func TestRecordsExchangedDuringAResume(t *testing.T) {
	root, old := t.TempDir(), sampleRecords(t)
	latest := maps.Clone(old)
	for path := range latest {
		latest[path] += "# the latest\n"
	}
	latest.change(atHead, "command: /dr-do TUNE-0254", "command: /dr-qa TUNE-0254")
	if err := old.store(root); err != nil {
		t.Fatal(err)
	}
	storeSnapshot(t, root, "1")
	done := make(chan struct{})
	var exchanging sync.WaitGroup
	exchanging.Go(func() {
		for _, set := range slices.Repeat([]recordSet{latest, old}, 100_000) {
			select {
			case <-done:
				return
			default:
			}
			if err := set.store(root); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for range 10 {
		c := recordsCommand(t, root, "resume", "--format", "json")
		out := c.stdout.String()
		fresh := c.code == exitOK && (strings.Contains(out, `"command":"/dr-do TUNE-0254"`) && strings.Contains(out, tokenOf(old)) ||
			strings.Contains(out, `"command":"/dr-qa TUNE-0254"`) && strings.Contains(out, tokenOf(latest)))
		if refused := c.code == exitRefused && out == ""; !fresh && !refused {
			t.Errorf("exit code %d, %s%s", c.code, out, c.stderr.String())
		}
	}
	close(done)
	exchanging.Wait()
	if err := latest.store(root); err != nil {
		t.Fatal(err)
	}
	if c := recordsCommand(t, root, "resume", "--format", "json"); !strings.Contains(c.stdout.String(), tokenOf(latest)) {
		t.Errorf("at the end: exit code %d, %s%s", c.code, c.stdout.String(), c.stderr.String())
	}
}

// tokenOf is the token that the records give, in JSON.
func tokenOf(s recordSet) string {
	digests := ""
	for _, path := range []string{atContract, atParent, atBrief, atHead, atGrant} {
		digests += digestOfText(s.text(path)) + "\n"
	}
	return `"value":"advance:DR-1@2:` + digestOfText(digests)[len("sha256:"):][:12] + `"`
}
