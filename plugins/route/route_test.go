package route

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/records"
)

var now = time.Date(2026, 10, 2, 8, 0, 0, 0, time.UTC)

// revalidateAt asks the plugin at a time of its clock.
func revalidateAt(ctx context.Context, at time.Time, root, body string) (*sdk.RevalidateResult, error) {
	req := &sdk.RevalidateRequest{Task: sdk.Task{Root: root, ID: task}}
	if body != "" {
		req.Snapshot = &sdk.Snapshot{TaskID: task, Body: []byte(body)}
	}
	return spec(func() time.Time { return at }).Revalidator.Revalidate(ctx, req)
}

// verdict is the route's token, or the codes of the refusals.
func verdict(t testing.TB, at time.Time, root, body string) string {
	t.Helper()
	result, err := revalidateAt(t.Context(), at, root, body)
	if err != nil {
		t.Fatal(err)
	}
	return verdictOf(result)
}

func verdictOf(result *sdk.RevalidateResult) string {
	if result.Fresh() {
		return result.Route.Token.Value
	}
	var codes []string
	for _, refusal := range result.Refusals {
		codes = append(codes, refusal.Code)
	}
	return strings.Join(codes, " ")
}

func TestFreshRoute(t *testing.T) {
	s := newSet("/dr-do", 2)
	root := s.store(t)
	zone := time.FixedZone("", 3*60*60)
	result, err := revalidateAt(t.Context(), now.In(zone), root, "")
	if err != nil {
		t.Fatal(err)
	}
	if result.Route.Command != "/dr-do TUNE-0254" || result.Route.Token != (sdk.Token{Type: "advance", Value: s.token}) {
		t.Errorf("the route is %+v; want the token %s", result.Route, s.token)
	}
	if result.CheckedAt != now {
		t.Errorf("checked at %v; want %v", result.CheckedAt, now)
	}
	if want := []string{"DR-1@1", "DR-1@2"}; !slices.Equal(result.Lineage, want) {
		t.Errorf("the lineage is %q; want %q", result.Lineage, want)
	}
	if decision := sum(s.files[atFolder+"/DR-1.r2.yaml"]); result.Decision.Digest != decision || result.Decision.Revision != 2 {
		t.Errorf("the decision is %+v; want that of %s", result.Decision, decision)
	}
	if result.Contract.Digest != sum(s.files[atContract]) || result.ParentContract.Digest != sum(s.files[atParent]) {
		t.Errorf("the contracts are %+v and %+v", result.Contract, result.ParentContract)
	}
}

func TestClock(t *testing.T) {
	s := newSet("/dr-do", 1)
	root := s.store(t)
	granted, expires := time.Date(2026, 10, 1, 12, 5, 0, 0, time.UTC), time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC)
	const inactive = records.CodeAuthorizationInactive
	for _, c := range []struct {
		at   time.Time
		want string
	}{
		{granted.Add(-time.Minute - 1), inactive},
		{granted.Add(-time.Minute), s.token}, // clocks differ by that much
		{granted, s.token},
		{expires.Add(-1), s.token},
		{expires, inactive},
		{expires.In(time.FixedZone("", -12*60*60)), inactive},
		{expires.Add(-1).In(time.FixedZone("", 14*60*60)), s.token},
		{expires.AddDate(100, 0, 0), inactive},
	} {
		if got := verdict(t, c.at, root, ""); got != c.want {
			t.Errorf("at %v: %s; want %s", c.at, got, c.want)
		}
	}
}

func TestProjection(t *testing.T) {
	s := newSet("/dr-do", 2)
	root := s.store(t)
	for projection, want := range map[string]string{
		"task=TUNE-0254 decision=DR-1@1 digest=" + sum("x"): s.token, // the fresh route wins
		"task=TUNE-0254 decision=DR-1@2 digest=" + sum("x"): s.token,
		"task=TUNE-0254 decision=DR-1@3 digest=" + sum("x"): records.CodeProjectionAhead,
		"task=TUNE-0255 decision=DR-1@1 digest=" + sum("x"): records.CodeTask,
		"task=TUNE-0254": records.CodeMalformed,
	} {
		if got := verdict(t, now, root, "Done.\n<!-- research-projection: "+projection+" -->\n"); got != want {
			t.Errorf("%s: %s; want %s", projection, got, want)
		}
	}
}

// Nothing is kept from one request to the next.
func TestEveryRequestReadsAnew(t *testing.T) {
	s := newSet("/dr-do", 1)
	root := s.store(t)
	plugin := spec(func() time.Time { return now })
	for range 2 {
		for want, text := range map[string]string{s.token: s.files[atReport], records.CodeEvidence: "changed"} {
			put(t, root, atReport, text)
			result, err := plugin.Revalidator.Revalidate(t.Context(), &sdk.RevalidateRequest{Task: sdk.Task{Root: root, ID: task}})
			if err != nil || verdictOf(result) != want {
				t.Errorf("%v, %v; want %s", result, err, want)
			}
		}
	}
}

// A request that has run out of time is a failure, wherever it was.
func TestEndOfTimeIsNeverFresh(t *testing.T) {
	root := newSet("/dr-do", 200).store(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if result, err := revalidateAt(ctx, now, root, ""); !errors.Is(err, context.Canceled) || result != nil {
		t.Errorf("after the end: %v, %v", result, err)
	}
	for limit := time.Microsecond; ; limit *= 2 {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		result, err := revalidateAt(ctx, now, root, "")
		cancel()
		switch {
		case errors.Is(err, context.DeadlineExceeded) && result == nil:
			continue
		case err != nil || !result.Fresh():
			t.Errorf("within %v: %v, %v", limit, result, err)
		}
		return
	}
}

func TestNoWorkspaceIsAFailure(t *testing.T) {
	var failure *sdk.Failure
	if result, err := revalidateAt(t.Context(), now, filepath.Join(t.TempDir(), "gone"), ""); !errors.As(err, &failure) || result != nil {
		t.Errorf("got %v, %v; want a failure", result, err)
	}
}

// callTimeout is the default of the setting call_timeout.
const callTimeout = 30 * time.Second

func TestLongChainInTime(t *testing.T) {
	s := newSet("/dr-do", 10_000)
	root := s.store(t)
	ctx, cancel := context.WithTimeout(t.Context(), callTimeout)
	defer cancel()
	if result, err := revalidateAt(ctx, now, root, ""); err != nil || verdictOf(result) != s.token || len(result.Lineage) != 10_000 {
		t.Errorf("got %.200v, %v", result, err)
	}
}

// Of other tasks, and of strangers in the task's own folder, nothing is opened: it
// would be refused.
func TestStrangersAreNotRead(t *testing.T) {
	s := newSet("/dr-do", 2)
	root := s.store(t)
	for _, folder := range []string{"evidence", "acceptance", "briefs", "authorizations", "decisions", "decisions/TUNE-0255"} {
		crowd(t, root, "datarim/"+folder, ".yaml", 200)
	}
	crowd(t, root, atFolder, ".notes", 200)
	if got := verdict(t, now, root, ""); got != s.token {
		t.Errorf("got %.200s; want %s", got, s.token)
	}
	crowd(t, root, atFolder, ".yaml", 1)
	if got := verdict(t, now, root, ""); got != records.CodeMalformed {
		t.Errorf("with one that claims to be a decision: %s", got)
	}
}

// crowd puts files of strangers into a folder.
func crowd(t testing.TB, root, folder, extension string, number int) {
	t.Helper()
	for i := range number {
		put(t, root, fmt.Sprintf("%s/ZZZ-%05d%s", folder, i, extension), "no record: [")
	}
}

// Each file is read once, so what a reader meets while two sets change places is
// some of each. Only a whole set is fresh.
func TestMixOfTwoSetsIsNeverFresh(t *testing.T) {
	old, latest := newSet("/dr-design", 2), newSet("/dr-do", 2)
	paths := slices.Sorted(maps.Keys(old.files))
	root := old.store(t)
	for mix := range 1 << len(paths) {
		for i, path := range paths {
			text := old.files[path]
			if mix>>i&1 == 1 {
				text = latest.files[path]
			}
			put(t, root, path, text)
		}
		got := verdict(t, now, root, "")
		whole := map[int]string{0: old.token, 1<<len(paths) - 1: latest.token}
		if want := whole[mix]; want != "" && got != want || want == "" && strings.HasPrefix(got, "advance:") {
			t.Errorf("mix %b: %s; want %q", mix, got, want)
		}
	}
}

func TestRecordsSwappedWhileTheyAreRead(t *testing.T) {
	old, latest := newSet("/dr-design", 3), newSet("/dr-do", 3)
	paths := slices.Collect(maps.Keys(old.files))
	root := old.store(t)
	done := make(chan struct{})
	var swapping sync.WaitGroup
	swapping.Go(func() {
		defer close(done)
		for round := range 100 {
			next := []set{latest, old}[round%2]
			for _, i := range rand.Perm(len(paths)) {
				if err := replace(root, paths[i], next.files[paths[i]]); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	for {
		got := verdict(t, now, root, "")
		if strings.HasPrefix(got, "advance:") && got != old.token && got != latest.token {
			t.Errorf("got %s, which neither set gives", got)
		}
		select {
		case <-done:
			swapping.Wait()
			if got := verdict(t, now, root, ""); got != old.token {
				t.Errorf("at the end: %s; want %s", got, old.token)
			}
			return
		default:
		}
	}
}
