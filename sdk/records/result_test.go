package records

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk/hook"
)

// dir is a Source without the care that one for strangers' files takes.
type dir struct{ *os.Root }

func openDir(t testing.TB, path string) dir {
	t.Helper()
	root, err := os.OpenRoot(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return dir{root}
}

func (d dir) Open(path string) (io.ReadCloser, error) { return d.Root.Open(path) }

func (d dir) Names(folder string) ([]string, error) {
	entries, err := fs.ReadDir(d.FS(), folder)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names, err
}

// The digests in testdata/valid, and the token, come from sha256sum.
func TestSample(t *testing.T) {
	report := verify(t, openDir(t, "testdata/valid"), query())
	want := hook.RevalidateResult{
		Route: &hook.Route{
			Command: "/dr-do TUNE-0254",
			Token:   hook.Token{Type: "advance", Value: "advance:DR-1@2:13dd7248813a"},
		},
		Decision: &hook.RecordRef{
			ID: "DR-1", Revision: 2, Digest: "sha256:482223e4a5e5f96119641c960f6da5af6360f371dcf529974a6be159edc2f973",
		},
		Lineage: []string{"DR-1@1", "DR-1@2"},
		Contract: &hook.ContractRef{
			TaskID: "TUNE-0254", Revision: 2, Scope: []string{"research", "design"},
			Digest: "sha256:036f1aa3c65045140e0938135332c7a7fa1150f7d7ca22300281cace14397f5a",
		},
		ParentContract: &hook.ContractRef{
			TaskID: "TUNE-0200", Digest: "sha256:98b5e4424ea8baa42bd0b92497a1b43b2297cecfc169a1e3e1f5e4f4c4d80d04",
		},
		CheckedAt: now,
	}
	if !reflect.DeepEqual(report.Result, want) {
		t.Errorf("got  %+v\nwant %+v", report.Result, want)
	}
}

func TestCheckedAtIsUTC(t *testing.T) {
	q := query()
	q.Now = now.In(time.FixedZone("", 7200))
	if got := verify(t, newMemory(newSet().linked()), q).Result.CheckedAt; got != now {
		t.Errorf("got %s; want %s", got, now)
	}
}

// A caller without a clock gets no route.
func TestNoTimeIsNeverFresh(t *testing.T) {
	q := query()
	q.Now = time.Time{}
	report, err := Verify(t.Context(), newMemory(newSet().linked()), q)
	if err != nil || report.Result.Fresh() {
		t.Errorf("got %+v, %v", report, err)
	}
}

// The token is the same for the same records and another after a change in any
// that it stands for.
func TestToken(t *testing.T) {
	seen := map[string]string{}
	for name, edit := range map[string]func(set){
		"unchanged":       func(set) {},
		"contract":        func(s set) { s[atContract] += "# x\n" },
		"parent":          func(s set) { s[atParent] += "# x\n" },
		"brief":           func(s set) { s[atBrief] += "# x\n" },
		"head":            func(s set) { s[atHead] += "# x\n" },
		"first decision":  func(s set) { s[atFirst] += "# x\n" },
		"grant":           func(s set) { s[atGrant] += "# x\n" },
		"evidence file":   func(s set) { s[atReport] += "x" }, // and so the evidence, which is not in the token
		"input":           func(s set) { s[atInsights] += "x" },
		"parent's parent": func(s set) { s.addParents(2) },
		"no parent":       set.withoutParent,
		"no grant":        replace(atHead, "scope_advance: [implementation]\n", ""),
		"return":          replace(atHead, "token: advance", "token: return"),
		"close":           replace(atHead, "token: advance", "token: close"),
		"rolled back":     set.rollBack,
	} {
		files := newSet()
		edit(files)
		files = files.linked()
		digest := func(path string) string {
			if text, ok := files[path]; ok {
				return sha(text)
			}
			return ""
		}
		head, version, grant, kind := atHead, "DR-1@2", digest(atGrant), "advance"
		switch name {
		case "rolled back":
			head, version = atFirst, "DR-1@1"
		case "no grant":
			grant = ""
		case "return", "close":
			kind = name
		}
		lines := strings.Join([]string{digest(atContract), digest(atParent), digest(atBrief), digest(head), grant}, "\n") + "\n"
		want := kind + ":" + version + ":" + fmt.Sprintf("%x", sha256.Sum256([]byte(lines)))[:12]
		for range 3 {
			report := verify(t, newMemory(files), query())
			if !report.Result.Fresh() {
				t.Fatalf("%s: %+v", name, report.Result.Refusals)
			}
			if got := report.Result.Route.Token; got != (hook.Token{Type: kind, Value: want}) {
				t.Errorf("%s: got %+v; want %s", name, got, want)
			}
		}
		if name == "evidence file" {
			continue
		}
		if other, ok := seen[want]; ok {
			t.Errorf("%s: the token is that of %s", name, other)
		}
		seen[want] = name
	}
}

// shuffled gives names in an order of its own.
type shuffled struct {
	*memory
	order []string
}

func (s shuffled) Names(string) ([]string, error) { return s.order, nil }

// The order in which a folder is listed changes nothing, neither of a route nor
// of refusals.
func TestOrderOfNames(t *testing.T) {
	sound, broken := newSet(), newSet()
	sound.extend(4)
	broken.extend(4)
	broken.add("a.yaml", "DR-2", 1, supersedes("DR-1", 1, atFirst))
	broken[atFolder+"/b.yaml"] = broken[atHead] + "# x\n"
	broken[atFolder+"/c.yaml"] = broken[atHead]
	broken.add("d.yaml", "DR-3", 2, "")
	for _, s := range []set{sound.linked(), broken.linked()} {
		names, err := newMemory(s).Names(atFolder)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(names)
		var want *Report
		for range names {
			for _, order := range [][]string{names, slices.Sorted(slices.Values(names))} {
				slices.Reverse(names)
				given := slices.Clone(order)
				report := verify(t, shuffled{newMemory(s), order}, query())
				if want == nil {
					want = report
				}
				if !reflect.DeepEqual(report, want) {
					t.Errorf("in the order %v:\n got  %v\n want %v", order, refusals(report), refusals(want))
				}
				if !slices.Equal(order, given) {
					t.Error("the names were changed")
				}
			}
			names = append(names[1:], names[0])
		}
	}
}

// A change of any byte of any record is refused or changes the token. The
// evidence is the exception: nothing names it, and the token does not stand for
// it; what it says of files and records is checked as ever.
func TestEveryByteCounts(t *testing.T) {
	files := newSet().linked()
	want := verify(t, newMemory(files), query()).Result
	fresh := map[string]int{}
	for _, path := range []string{atContract, atParent, atGrant, atBrief, atFirst, atHead, atEvidence, atInsights, atReport} {
		text := files[path]
		for i := range len(text) {
			for _, value := range []byte{text[i] ^ 1, " \n#"[i%3]} {
				if value == text[i] {
					continue
				}
				files[path] = text[:i] + string([]byte{value}) + text[i+1:]
				result := verify(t, newMemory(files), query()).Result
				if !result.Fresh() {
					continue
				}
				fresh[path]++
				switch path {
				case atGrant:
					if result.Route.Token == want.Route.Token || !reflect.DeepEqual(result.Decision, want.Decision) {
						t.Errorf("%s, byte %d is %q: got %+v", path, i, value, result.Route)
					}
				case atEvidence:
					if !reflect.DeepEqual(result, want) {
						t.Errorf("%s, byte %d is %q: got %+v", path, i, value, result.Route)
					}
				default:
					t.Errorf("%s, byte %d is %q: fresh", path, i, value)
				}
			}
		}
		files[path] = text
	}
	if fresh[atGrant] == 0 || fresh[atEvidence] == 0 {
		t.Errorf("the exceptions were not met: %v", fresh)
	}
}
