package runner_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/stagehook/stagehook/runner"
)

// A host may keep a runner for long: a hundred events leave no goroutine and no
// open file behind, in the host or in the plugins, and the plugins keep nothing of
// the bodies.
func TestHundredEventsLeakNothing(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) }) // after the runner's end
	r, root := newRunner(t, "")
	body := strings.Repeat("All done.\n", 1<<20/10) // of which a snapshot takes little
	plugins := map[string]int{}                     // process IDs
	cycles := func(count int) {
		for range count {
			for _, event := range []runner.Event{
				{Name: runner.StageExit, Answer: answer(body)},
				{Name: runner.Resume},
				{Name: runner.Validate},
				{Name: runner.Archive},
			} {
				event.Root = root
				outcome := fire(t, r, event)
				if outcome.Result != runner.Done {
					t.Fatalf("%s: %s", event.Name, outcome.Result)
				}
				for _, step := range outcome.Steps {
					if step.PID != 0 {
						plugins[step.Plugin] = int(step.PID)
					}
				}
			}
		}
	}

	cycles(10) // all plugins run, and their heaps have the size that they need
	warm := goleak.IgnoreCurrent()
	files, resident := map[string]int{"the host": openFiles(t, os.Getpid())}, map[string]int{}
	for plugin, pid := range plugins {
		files[plugin], resident[plugin] = openFiles(t, pid), residentBytes(t, pid)
	}
	started := fmt.Sprint(plugins)

	cycles(25)
	goleak.VerifyNone(t, warm)
	if now := fmt.Sprint(plugins); now != started || len(plugins) != 4 {
		t.Fatalf("the plugins are %s; were %s", now, started)
	}
	plugins["the host"] = os.Getpid()
	for plugin, pid := range plugins {
		// Fewer is fine: a garbage collector closes what go-plugin has dropped.
		if got := openFiles(t, pid); got > files[plugin] {
			t.Errorf("%s has %d open files; had %d", plugin, got, files[plugin])
		}
	}
	delete(plugins, "the host") // grows by what tests keep
	for plugin, pid := range plugins {
		// Half of the bodies, which is more than a garbage collector leaves lying.
		if grown := residentBytes(t, pid) - resident[plugin]; grown > 25*len(body)/2 {
			t.Errorf("%s has grown by %d KiB", plugin, grown>>10)
		}
	}
}

// openFiles counts the open files of a process.
func openFiles(t *testing.T, pid int) int {
	t.Helper()
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// residentBytes is how much memory of a process is resident.
func residentBytes(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		t.Fatal(err)
	}
	var size, pages int
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}
