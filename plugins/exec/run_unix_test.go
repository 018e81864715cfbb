//go:build unix

package exec

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk"
)

// patience is how long a test waits for what takes an instant.
const patience = 10 * time.Second

// pids waits until a helper has written the numbers of its processes to the file
// pids in the root: that of the group's leader first.
func pids(t *testing.T, root string, count int) []int {
	t.Helper()
	var found []int
	wait(t, "the helper's processes", func() bool {
		data, _ := os.ReadFile(filepath.Join(root, "pids"))
		found = nil
		for _, field := range strings.Fields(string(data)) {
			pid, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, pid)
		}
		return len(found) == count && strings.HasSuffix(string(data), "\n")
	})
	return found
}

func wait(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// wantGone wants a helper to have been waited for, and its group to be dead.
func wantGone(t *testing.T, pids []int) {
	t.Helper()
	if err := syscall.Kill(pids[0], 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the helper is there: %v", err)
	}
	for _, pid := range pids {
		wait(t, "the end of its processes", func() bool { return dead(pid) })
	}
}

// dead reports whether the process is gone or has only not been waited for by the
// system, which adopts orphans.
func dead(pid int) bool {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // only Linux has it
	return strings.Contains(string(stat), ") Z ") || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

// family is a script that starts a child, which keeps the pipes, and tells of both.
const family = `sleep 1000 & echo $$ $! > "$1/pids"; `

// A helper that does not end is refused while the host still listens, and none
// of its processes are left.
func TestHelperThatDoesNotEnd(t *testing.T) {
	for name, text := range map[string]string{
		"sleeps":               family + `sleep 1000`,
		"has answered":         family + `echo '` + fresh + `'; sleep 1000`,
		"ignores signals":      `trap '' TERM INT HUP PIPE; ` + family + `while :; do sleep 1000; done`,
		"has closed its pipes": family + `exec <&- >&- 2>&-; sleep 1000`,
		"stops itself":         family + `kill -STOP $$`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // they only wait
			root := t.TempDir()
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			result := revalidate(t, ctx, script(t, text), request(root))
			wantRefusal(t, result, codeFailed, "the helper did not end within ")
			if ctx.Err() != nil {
				t.Error("the call's time was over by then")
			}
			wantGone(t, pids(t, root, 2))
		})
	}
}

// A host that gives up gets its own error back.
func TestHostThatGivesUp(t *testing.T) {
	root := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	spec := script(t, family+`sleep 1000`)
	go func() {
		_, err := spec.Revalidator.Revalidate(ctx, request(root))
		done <- err
	}()
	helper := pids(t, root, 2)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	wantGone(t, helper)
}

// A child may keep the pipes open; it is not waited for, and does not survive.
func TestChildOfAHelperThatHasEnded(t *testing.T) {
	for name, test := range map[string]struct {
		text, code, detail string
	}{
		"fresh":   {family + `echo '` + fresh + `'`, "", ""},
		"refused": {family + `echo '` + refusedAnswer + `'; exit 4`, codeRefused, "frozen"},
		"failed":  {family + `echo broken >&2; exit 2`, codeFailed, "exit code 2: broken"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			result := revalidate(t, t.Context(), script(t, test.text), request(root))
			if test.code != "" {
				wantRefusal(t, result, test.code, test.detail)
			} else if !result.Fresh() {
				t.Errorf("refusals %+v", result.Refusals)
			}
			wantGone(t, pids(t, root, 2))
		})
	}
}

// Each call has a group of its own: the end of one does not end another.
func TestCallsSideBySide(t *testing.T) {
	spec := configured(t, "sh", "-c", `test -e "$1/first" || { mkfifo "$1/first.new" && mv "$1/first.new" "$1/first" && cat "$1/first" >/dev/null; }; echo '`+fresh+`'`, "helper", "{root}")
	root := t.TempDir()
	first := make(chan *sdk.RevalidateResult, 1)
	go func() {
		result, _ := spec.Revalidator.Revalidate(t.Context(), request(root))
		first <- result
	}()
	wait(t, "the first call", func() bool { _, err := os.Stat(filepath.Join(root, "first")); return err == nil })
	if result := revalidate(t, t.Context(), spec, request(root)); !result.Fresh() {
		t.Errorf("the second: %+v", result)
	}
	if err := os.WriteFile(filepath.Join(root, "first"), []byte("go on\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if result := <-first; !result.Fresh() {
		t.Errorf("the first: %+v", result)
	}
}

// What a helper does with its pipes is no failure by itself.
func TestPipesOfTheHelper(t *testing.T) {
	answer := `echo '` + fresh + `'`
	for name, text := range map[string]string{
		"ignores its input": answer,
		"closes its input":  `exec <&-; ` + answer,
		"reads its input":   `cat >/dev/null; ` + answer,
		"fills stderr":      `head -c 10000000 /dev/zero >&2; ` + answer,
		"closes stderr":     `exec 2>&-; ` + answer,
	} {
		t.Run(name, func(t *testing.T) {
			req := request(t.TempDir())
			req.Snapshot.Body = make([]byte, 1<<20) // more than a pipe holds
			if result := revalidate(t, t.Context(), script(t, text), req); !result.Fresh() {
				t.Errorf("refusals %+v", result.Refusals)
			}
		})
	}
}

// A helper that prints without end is ended at the limit and not at the deadline:
// this call has none.
func TestTooMuchOutput(t *testing.T) {
	root := t.TempDir()
	for _, text := range []string{
		family + `head -c 10000000 /dev/zero; sleep 1000`,
		family + `trap '' PIPE; while :; do head -c 100000 /dev/zero; done`,
		family + `echo '` + fresh + `'; while :; do echo; done`,
	} {
		result := revalidate(t, t.Context(), script(t, text), request(root))
		wantRefusal(t, result, codeFailed, "the helper printed more than 1048576 bytes")
		wantGone(t, pids(t, root, 2))
	}
	padded := fresh + strings.Repeat(" ", maxAnswer-len(fresh))
	if result := revalidate(t, t.Context(), printing(t, padded, "0"), request(root)); !result.Fresh() {
		t.Errorf("an answer of just the limit: %+v", result.Refusals)
	}
}

func TestHelperThatCannotBeStarted(t *testing.T) {
	root := t.TempDir()
	plain := filepath.Join(root, "plain")
	if err := os.WriteFile(plain, []byte("#!/bin/sh\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SET", "sub")
	t.Setenv("EMPTY", "")
	t.Chdir(root)
	if err := os.WriteFile("here", []byte("#!/bin/sh\necho '"+fresh+"'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		detail  string
		command []string
	}{
		{`"no-such-program" could not be started: executable file not found`, []string{"no-such-program"}},
		{"could not be started: no such file", []string{root + "/none"}},
		{"could not be started: permission denied", []string{plain}},
		{`"./here" is neither an absolute path nor`, []string{"./here"}},
		{`"sub/here" is neither an absolute path nor`, []string{"${SET}/here"}},
		{`"here" could not be started: executable file not found`, []string{"here"}},
		{"the variable STAGEHOOK_UNSET_, which is unset or empty", []string{"${STAGEHOOK_UNSET_}/bin/sh"}},
		{"the variable EMPTY, which is unset or empty", []string{"${EMPTY}/bin/sh"}},
		{"the variable EMPTY, which is unset or empty", []string{"sh", "-c", "echo '" + fresh + "'", "${EMPTY}"}},
		{`"${EMPTY:-}/bin/sh" is neither`, []string{"${EMPTY:-}/bin/sh"}},
	} {
		wantRefusal(t, revalidate(t, t.Context(), configured(t, test.command...), request(root)), codeFailed, test.detail)
	}
	// A PATH with the current folder in it does not make it a program of the workspace.
	t.Setenv("PATH", ".")
	wantRefusal(t, revalidate(t, t.Context(), configured(t, "here"), request(root)), codeFailed, "could not be started: ")
}

// The words reach the program as they are: no shell, no second expansion.
func TestArguments(t *testing.T) {
	t.Setenv("RUNTIME", "a b*;$(touch x)${HOME}{task}")
	root := filepath.Join(t.TempDir(), "{task} ${RUNTIME}")
	if err := os.Mkdir(root, 0o700); err != nil {
		t.Fatal(err)
	}
	args := filepath.Join(t.TempDir(), "args")
	spec := configured(t, "sh", "-c", `pwd -P > "$1"; shift; printf '%s\n' "$@" >> "$ARGS"; echo '`+fresh+`'`, "helper", args,
		"{root}", "--task={task}", "${RUNTIME}/x", "$RUNTIME", "{ROOT}", "{{task}}", "", "`id`", "-")
	t.Setenv("ARGS", args)
	if result := revalidate(t, t.Context(), spec, request(root)); !result.Fresh() {
		t.Fatalf("refusals %+v", result.Refusals)
	}
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(args)
	want := []string{real, root, "--task=TUNE-0254", "a b*;$(touch x)${HOME}{task}/x", "$RUNTIME", "{ROOT}", "{TUNE-0254}", "", "`id`", "-", ""}
	if got := strings.Split(string(data), "\n"); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
	if entries, _ := os.ReadDir(root); len(entries) != 0 {
		t.Errorf("in the root: %v", entries)
	}
}

// The helper gets the plugin's environment without what belongs to the protocol.
func TestEnvironment(t *testing.T) {
	for _, name := range []string{"PLUGIN_CLIENT_CERT", "PLUGIN_UNIX_SOCKET_DIR", "STAGEHOOK_PLUGIN", "STAGEHOOK_PLUGIN_LIFELINE", "STAGEHOOK_PLUGIN_LOG"} {
		t.Setenv(name, "of the protocol")
	}
	t.Setenv("DATARIM_RUNTIME", "/runtime")
	root := t.TempDir()
	revalidate(t, t.Context(), script(t, `env > "$1/env"`), request(root))
	data, err := os.ReadFile(filepath.Join(root, "env"))
	if err != nil || !strings.Contains(string(data), "DATARIM_RUNTIME=/runtime\n") || strings.Contains(string(data), "of the protocol") {
		t.Errorf("%s, %v", data, err)
	}
}

// A helper that fails in many lines leaves the last ones.
func TestTailKeepsTheEnd(t *testing.T) {
	whole := &tail{}
	var all strings.Builder
	for i := range 5000 {
		line := fmt.Sprintf("line %d\n", i)
		all.WriteString(line)
		if n, err := whole.Write([]byte(line)); n != len(line) || err != nil {
			t.Fatal(n, err)
		}
	}
	if want := all.String()[all.Len()-maxComplaint:]; string(whole.kept) != want || whole.lastLine() != "line 4999" {
		t.Errorf("kept %d bytes, the last line is %q", len(whole.kept), whole.lastLine())
	}
	if cap(whole.kept) > 4*maxComplaint {
		t.Errorf("holds %d bytes", cap(whole.kept))
	}
}
