package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// changes are the system calls by which this package changes a file system. The
// creation of a file is followed by an fchmod, so between two of these calls there
// is one state at most.
const changes = "mkdirat,fchmod,fchmodat,write,copy_file_range,sendfile,fsync,linkat,renameat,renameat2,unlinkat"

// traced starts an actor under strace with these options.
func traced(t testing.TB, role string, w *Workspace, argument string, options ...string) *actor {
	t.Helper()
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("needs strace: ", err)
	}
	return startUnder(t, append([]string{"strace", "-f", "-qq"}, options...), role, w, argument)
}

// injected runs an actor that meets a fault, in the syntax of strace, and returns
// what it said and whether it was killed.
func injected(t testing.TB, role string, w *Workspace, argument string, faults ...string) (said string, killed bool) {
	t.Helper()
	options := []string{"-o", os.DevNull}
	for _, fault := range faults {
		options = append(options, "-e", "inject="+fault)
	}
	a := traced(t, role, w, argument, options...)
	output, _ := io.ReadAll(a.output)
	err := a.Wait()
	exit, ok := errors.AsType[*exec.ExitError](err)
	killed = ok && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
	if err != nil && !killed {
		t.Fatalf("%s: %v: %s", faults, err, output)
	}
	return strings.TrimSpace(string(output)), killed
}

// killedAtEachStep plays a role on workspaces that prepare makes, once to its end
// and then each time killed before another of its changes, and has check look at
// what it left.
func killedAtEachStep(t *testing.T, prepare func(t *testing.T) *Workspace, role, argument string, check func(t *testing.T, w *Workspace)) {
	t.Helper()
	steps, nth := 0, map[string]int{}
	for _, line := range changesOf(t, role, prepare(t), argument) {
		call, _, _ := strings.Cut(line, "(")
		nth[call]++
		t.Run(fmt.Sprint(call, " ", nth[call]), func(t *testing.T) {
			w := prepare(t)
			fault := fmt.Sprintf("%s:signal=KILL:when=%d", call, nth[call])
			if said, killed := injected(t, role, w, argument, fault); killed {
				steps++
			} else if said != "done" {
				t.Error(said)
			}
			check(t, w)
		})
	}
	if steps < 10 { // as many are the changes of the simplest write
		t.Errorf("killed at %d steps only", steps)
	}
}

// changesOf returns the changes that an actor makes, as strace writes them.
func changesOf(t testing.TB, role string, w *Workspace, argument string) []string {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	traced(t, role, w, argument, "-y", "-o", log, "-e", "trace="+changes).wantDone(t)
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimLeft(line, "0123456789 "); strings.Contains(line, "(") { // else it is no call
			lines = append(lines, line)
		}
	}
	return lines
}

// callsOn returns the changes that an actor makes in a directory: each call, with
// the names it is about, a temporary one as "temp".
func callsOn(t testing.TB, dir, role string, w *Workspace, argument string) []string {
	t.Helper()
	// A call is about a file below the directory, a name in it, or itself.
	about := regexp.MustCompile(`<` + regexp.QuoteMeta(dir) + `(?:/([^>]*)>|>, "([^"]*)"|>)`)
	var calls []string
	for _, line := range changesOf(t, role, w, argument) {
		call, _, _ := strings.Cut(line, "(")
		found := about.FindAllStringSubmatch(line, -1)
		for _, names := range found {
			name := cmp.Or(names[1], names[2], filepath.Base(dir))
			if strings.HasPrefix(name, ".tmp.") {
				name = "temp"
			}
			call += " " + name
		}
		if len(found) > 0 {
			calls = append(calls, call)
		}
	}
	return calls
}
