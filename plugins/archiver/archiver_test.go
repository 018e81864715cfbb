package archiver

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

const (
	task     = "TUNE-0254"
	archived = "documentation/archive/framework/snapshots/" + task + "-final-stage"
)

// plant writes a file below root, with its folders.
func plant(t testing.TB, root, name, content string) {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(content), 0o644))
}

// must fails the test on an error of the set-up.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// tree lists what is below root, folders with a slash behind them and files with
// their content; without the folders that every test has.
func tree(t testing.TB, root string) []string {
	t.Helper()
	var found []string
	must(t, filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		switch {
		case entry.IsDir():
			if entries, err := os.ReadDir(path); err != nil || len(entries) > 0 {
				return err
			}
			found = append(found, name+"/")
		case entry.Type().IsRegular():
			data, err := os.ReadFile(path)
			found = append(found, name+": "+string(data))
			return err
		default:
			found = append(found, name+": "+entry.Type().String())
		}
		return nil
	}))
	slices.Sort(found)
	return found
}

func wantTree(t testing.TB, root string, want ...string) {
	t.Helper()
	slices.Sort(want)
	if got := tree(t, root); !slices.Equal(got, want) {
		t.Errorf("there is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// archive runs the plugin as a host would, with settings as JSON.
func archive(ctx context.Context, t testing.TB, root, id, settings, event string) (*sdk.ArchiveResult, error) {
	t.Helper()
	spec := Spec()
	must(t, spec.Configure([]byte(settings)))
	return spec.Archiver.Archive(ctx, &sdk.ArchiveRequest{
		Task:        sdk.Task{Root: root, ID: id},
		Event:       event,
		LockTimeout: 10 * time.Second,
	})
}

// wantFailure checks that err is a failure of IO with one line that holds text.
func wantFailure(t testing.TB, err error, text string) {
	t.Helper()
	var failure *sdk.Failure
	switch {
	case !errors.As(err, &failure) || failure.Code != sdk.FailureIO:
		t.Errorf("got %v; want a failure of IO", err)
	case !strings.Contains(err.Error(), text) || strings.Contains(err.Error(), "\n"):
		t.Errorf("got %q; want one line with %q", err, text)
	}
}

func TestMovesByteForByteWhateverTheSnapshotHolds(t *testing.T) {
	for name, content := range map[string]string{
		"no header":   "body\r\n",
		"empty":       "",
		"not UTF-8":   "---\n\xff\x00\n",
		"above a cap": strings.Repeat("x", 3*snapshot.MaxBytes),
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			plant(t, root, snapshot.Path(task), content)
			res, err := archive(t.Context(), t, root, task, "", "archive")
			if err != nil || !res.Archived || res.Path != archived+".md" || len(res.Warnings) > 0 {
				t.Fatalf("got %+v, %v", res, err)
			}
			wantTree(t, root, "datarim/snapshots/", archived+".md: "+content)
		})
	}
}

func TestNothingToArchiveMakesNothing(t *testing.T) {
	for _, there := range []string{"", "datarim", "datarim/snapshots", "documentation"} {
		t.Run(there, func(t *testing.T) {
			root := t.TempDir()
			want := "./"
			if there != "" {
				must(t, os.MkdirAll(filepath.Join(root, there), 0o755))
				want = there + "/"
			}
			plant(t, filepath.Dir(root), filepath.Base(root)+".unrelated", "")
			res, err := archive(t.Context(), t, root, task, "", "archive")
			if err != nil || res.Archived || res.Path != "" || len(res.Warnings) > 0 {
				t.Fatalf("got %+v, %v", res, err)
			}
			wantTree(t, root, want)
		})
	}
}

func TestConflict(t *testing.T) {
	const differs = archived + ".md exists with other content"
	tests := map[string]struct {
		settings string
		event    string
		there    map[string]string // by what follows -final-stage
		want     string            // where the snapshot goes, by what follows -final-stage
		err      string
	}{
		"free":                           {event: "archive", want: ".md"},
		"equal":                          {event: "archive", there: map[string]string{".md": "new"}, want: ".md"},
		"differs":                        {event: "archive", there: map[string]string{".md": "old"}, err: differs},
		"differs in its last byte":       {event: "archive", there: map[string]string{".md": "nex"}, err: differs},
		"begins like it":                 {event: "archive", there: map[string]string{".md": "new\n"}, err: differs},
		"empty":                          {event: "archive", there: map[string]string{".md": ""}, err: differs},
		"differs after a stage exit":     {event: "stage-exit", there: map[string]string{".md": "old"}, want: ".2.md"},
		"refuse":                         {settings: `{"on_conflict": "refuse"}`, event: "stage-exit", there: map[string]string{".md": "old"}, err: differs},
		"keep both":                      {settings: `{"on_conflict": "keep-both"}`, event: "archive", there: map[string]string{".md": "old"}, want: ".2.md"},
		"keep both, free":                {settings: `{"on_conflict": "keep-both"}`, event: "archive", want: ".md"},
		"keep both, equal":               {settings: `{"on_conflict": "keep-both"}`, event: "archive", there: map[string]string{".md": "new"}, want: ".md"},
		"keep both, second equal":        {settings: `{"on_conflict": "keep-both"}`, event: "archive", there: map[string]string{".md": "old", ".2.md": "new"}, want: ".2.md"},
		"keep both, second differs":      {settings: `{"on_conflict": "keep-both"}`, event: "archive", there: map[string]string{".md": "old", ".2.md": "older"}, want: ".3.md"},
		"keep both, a gap":               {settings: `{"on_conflict": "keep-both"}`, event: "archive", there: map[string]string{".md": "old", ".3.md": "older"}, want: ".2.md"},
		"refuse does not look at others": {event: "archive", there: map[string]string{".2.md": "old"}, want: ".md"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			plant(t, root, snapshot.Path(task), "new")
			want := []string{}
			for suffix, content := range test.there {
				plant(t, root, archived+suffix, content)
				want = append(want, archived+suffix+": "+content)
			}
			res, err := archive(t.Context(), t, root, task, test.settings, test.event)
			if test.err != "" {
				wantFailure(t, err, test.err)
				wantTree(t, root, append(want, snapshot.Path(task)+": new")...)
				return
			}
			if err != nil || !res.Archived || res.Path != archived+test.want {
				t.Fatalf("got %+v, %v; want …%s", res, err, test.want)
			}
			if test.there[test.want] == "" {
				want = append(want, archived+test.want+": new")
			}
			wantTree(t, root, append(want, "datarim/snapshots/")...)
		})
	}
}

// meddler is a context that does something just before the snapshot is moved,
// which is when the archiver asks whether its caller is still there.
type meddler struct {
	context.Context
	lock   string // which is there by then
	meddle func()
}

func (m meddler) Err() error {
	if _, err := os.Lstat(m.lock); err == nil {
		m.meddle()
	}
	return m.Context.Err()
}

func meddling(t *testing.T, root string, meddle func()) context.Context {
	return meddler{t.Context(), filepath.Join(root, "datarim", "snapshots", ".lock."+task), meddle}
}

func TestArchivedThoughTheLockIsLost(t *testing.T) {
	root := t.TempDir()
	plant(t, root, snapshot.Path(task), "new")
	ctx := meddling(t, root, func() { must(t, os.RemoveAll(filepath.Join(root, "datarim", "snapshots", ".lock."+task))) })
	res, err := archive(ctx, t, root, task, `{"areas": {"TUNE": "music"}}`, "archive")
	if err != nil || !res.Archived || len(res.Warnings) != 2 ||
		!strings.Contains(res.Warnings[0], "music") || res.Warnings[1] != "the snapshot is archived, but the lock was not given back: lock datarim/snapshots/.lock.TUNE-0254 is not ours any more" {
		t.Errorf("got %+v, %v", res, err)
	}
	wantTree(t, root, "datarim/snapshots/", archived+".md: new")
}

func TestBothFailuresAreToldOnOneLine(t *testing.T) {
	root := t.TempDir()
	plant(t, root, snapshot.Path(task), "new")
	plant(t, root, archived+".md", "old")
	ctx := meddling(t, root, func() { must(t, os.RemoveAll(filepath.Join(root, "datarim", "snapshots", ".lock."+task))) })
	_, err := archive(ctx, t, root, task, "", "archive")
	wantFailure(t, err, ".md exists with other content; the lock was not given back: lock datarim/snapshots/.lock.TUNE-0254 is not ours any more")
}

func TestSnapshotIsTakenAwayMeanwhile(t *testing.T) {
	root := t.TempDir()
	plant(t, root, snapshot.Path(task), "new")
	ctx := meddling(t, root, func() { must(t, os.Remove(filepath.Join(root, snapshot.Path(task)))) })
	res, err := archive(ctx, t, root, task, "", "archive")
	if err != nil || res.Archived {
		t.Errorf("got %+v, %v", res, err)
	}
}

func TestCallerIsGoneMeanwhile(t *testing.T) {
	for _, names := range []int{0, 1} { // that are tried before
		root := t.TempDir()
		plant(t, root, snapshot.Path(task), "new")
		plant(t, root, archived+".md", "old")
		inner, cancel := context.WithCancel(t.Context())
		defer cancel()
		asked := 0
		ctx := meddler{inner, filepath.Join(root, "datarim", "snapshots", ".lock."+task), func() {
			if asked == names {
				cancel()
			}
			asked++
		}}
		if _, err := archive(ctx, t, root, task, "", "stage-exit"); !errors.Is(err, context.Canceled) {
			t.Errorf("%d: got %v", names, err)
		}
		wantTree(t, root, snapshot.Path(task)+": new", archived+".md: old")
	}
}

func TestLockIsWaitedForAndItsTimeoutToldApart(t *testing.T) {
	root := t.TempDir()
	plant(t, root, snapshot.Path(task), "new")
	must(t, os.Mkdir(filepath.Join(root, "datarim", "snapshots", ".lock."+task), 0o700))
	_, err := Spec().Archiver.Archive(t.Context(), &sdk.ArchiveRequest{Task: sdk.Task{Root: root, ID: task}, Event: "archive"})
	var failure *sdk.Failure
	if !errors.As(err, &failure) || failure.Code != hook.FailureLockTimeout || failure.Hint == "" {
		t.Errorf("got %v", err)
	}
	wantTree(t, root, snapshot.Path(task)+": new", "datarim/snapshots/.lock."+task+"/")
}

// Of many archivers of one snapshot one moves it, and the others find nothing.
func TestManyArchiversAtOnce(t *testing.T) {
	for _, event := range []string{"archive", "stage-exit"} {
		root := t.TempDir()
		plant(t, root, snapshot.Path(task), "new")
		plant(t, root, archived+".2.md", "old")
		results := make(chan *sdk.ArchiveResult)
		var archivers sync.WaitGroup
		for range 8 {
			archivers.Go(func() {
				res, err := archive(t.Context(), t, root, task, "", event)
				if err != nil {
					t.Error(err)
				}
				results <- res
			})
		}
		go func() {
			archivers.Wait()
			close(results)
		}()
		moved := 0
		for res := range results {
			if res != nil && res.Archived {
				moved++
			}
		}
		if moved != 1 {
			t.Errorf("%s: %d of them moved it", event, moved)
		}
		wantTree(t, root, "datarim/snapshots/", archived+".md: new", archived+".2.md: old")
	}
}

func TestSettingsAreChecked(t *testing.T) {
	for _, settings := range []string{
		`{"areas": ["SHOP"]}`,
		`{"areas": {"SHOP": 1}}`,
		`{"on_conflict": "overwrite"}`,
		`{"onConflict": "refuse"}`,
	} {
		if err := Spec().Configure([]byte(settings)); err == nil {
			t.Errorf("%s was accepted", settings)
		}
	}
	if err := Spec().Configure([]byte(`{"areas": {"SHOP": "storefront"}, "on_conflict": "keep-both"}`)); err != nil {
		t.Error(err)
	}
}
