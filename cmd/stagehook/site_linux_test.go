package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// siteTask is the task whose snapshot the tests store and lose.
const siteTask = "TUNE-0254"

// patience is how long a command may take that should be done at once. It is
// only a bound against hanging, on a machine that does much else.
const patience = 60 * time.Second

// A site is a workspace on its own, with a folder of its own for sockets, and a
// program that works in it. The answers that it stores are "old" and "new".
type site struct {
	testing.TB
	program string
	base    string // holds everything else
	root    string
	temp    string // for sockets
}

// built makes the program as users have it: the race detector in the test's own
// binary would make hundreds of runs several times as long. It lies below the
// folder of that binary, which goes when all tests are done.
var built = sync.OnceValues(func() (program string, err error) {
	own, err := exec.LookPath("stagehook")
	if err != nil {
		return "", err
	}
	program = filepath.Join(filepath.Dir(own), "plain", "stagehook")
	if output, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, output)
	}
	return program, nil
})

// letIn lets other users read what is at the path.
func letIn(t testing.TB, path string) {
	t.Helper()
	for ; path != os.TempDir() && path != "/"; path = filepath.Dir(path) {
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func newSite(t testing.TB) *site {
	t.Helper()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	letIn(t, program)
	base, err := os.MkdirTemp("/tmp", "site") // short enough for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	s := &site{t, program, base, filepath.Join(base, "root"), filepath.Join(base, "tmp")}
	for _, dir := range []string{s.path("datarim"), s.temp} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s.plant(filepath.Join(base, "old"), strings.Repeat("The old answer.\n", 400))
	s.plant(filepath.Join(base, "new"), strings.Repeat("A new answer, longer than fits.\n", 400))
	letIn(t, base)
	return s
}

// path is a path below the root.
func (s *site) path(elements ...string) string {
	return filepath.Join(append([]string{s.root}, elements...)...)
}

func (s *site) snapshots() string { return s.path("datarim", "snapshots") }

func (s *site) snapshot() string { return s.path(filepath.FromSlash(snapshot.Path(siteTask))) }

// plant writes a file with everything above it.
func (s *site) plant(path, content string) {
	s.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		s.Fatal(err)
	}
}

// command prepares a run of the program.
func (s *site) command(args ...string) *exec.Cmd {
	cmd := exec.Command(s.program, args...)
	cmd.Dir = "/"
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + s.base, "TMPDIR=" + s.temp, "XDG_CONFIG_HOME=" + s.base,
		"DR_SNAPSHOT_LOCK_TIMEOUT=10",
	}
	return cmd
}

// stageExit prepares a stage exit of the task with an answer.
func (s *site) stageExit(answer string) *exec.Cmd { return s.stageExitOf(siteTask, answer) }

func (s *site) stageExitOf(task, answer string) *exec.Cmd {
	return s.command("stage-exit", "--root", s.root, "--task", task, "--stage", "plan", "--command", "/dr-plan",
		"--captured-by", "agent", "--recommended-next", "/dr-do", "--captured-at", "2026-05-21T13:45:00Z",
		"--body-file", filepath.Join(s.base, answer))
}

// archive prepares the archiving of the task.
func (s *site) archive() *exec.Cmd { return s.command("archive", "--root", s.root, "--task", siteTask) }

type ending struct {
	code           int // as a shell sees it
	stdout, stderr string
}

// run runs a command to its end, which must come in time.
func (s *site) run(cmd *exec.Cmd) ending {
	s.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		s.Fatal(err)
	}
	code := s.wait(cmd)
	return ending{code, stdout.String(), stderr.String()}
}

// wait waits for the end of a command that was started and returns its code.
func (s *site) wait(cmd *exec.Cmd) int {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })
	err := cmd.Wait()
	if !stop() {
		s.Fatalf("%v hangs", cmd.Args)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.Fatal(err)
	}
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
		return exitSignal + int(status.Signal())
	}
	return cmd.ProcessState.ExitCode()
}

// must runs a command that must succeed in silence.
func (s *site) must(cmd *exec.Cmd) {
	s.Helper()
	if end := s.run(cmd); end != (ending{}) {
		s.Fatalf("%v ended with %d: %s%s", cmd.Args, end.code, end.stdout, end.stderr)
	}
}

// store stores an answer and returns the bytes of its snapshot.
func (s *site) store(answer string) string {
	s.Helper()
	s.must(s.stageExit(answer))
	return s.whole(s.snapshot())
}

// whole returns the bytes of a file that must be a conforming snapshot of the
// task, closed to others.
func (s *site) whole(path string) string {
	s.Helper()
	return s.wholeOf(siteTask, path)
}

func (s *site) wholeOf(task, path string) string {
	s.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		s.Fatal(err)
	}
	grammar, err := identity.New(identity.Rules{})
	if err != nil {
		s.Fatal(err)
	}
	if _, problem := snapshot.Parse(data, snapshot.Expect{TaskID: task, Grammar: grammar}); problem != nil {
		s.Fatalf("%s is malformed: %v", path, problem)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode() != 0o600 {
		s.Fatalf("%s has mode %v, %v", path, info.Mode(), err)
	}
	return string(data)
}

// wantOnly fails the test unless a folder holds these names and no others.
func (s *site) wantOnly(dir string, want ...string) {
	s.Helper()
	if got := s.names(dir); !slices.Equal(got, want) {
		s.Fatalf("%s holds %q; want %q", dir, got, want)
	}
}

// wantClean fails the test unless the task's snapshot is all that is stored.
func (s *site) wantClean() {
	s.Helper()
	s.wantOnly(s.snapshots(), filepath.Base(s.snapshot()))
}

func (s *site) names(dir string) []string {
	s.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		s.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// processes lists the processes that have the site's environment: the program's
// and those of its plugins, wherever they have gone.
func (s *site) processes() []int {
	var pids []int
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, environ := range environs {
		// A process that has ended has none.
		if data, err := os.ReadFile(environ); err == nil && bytes.Contains(data, []byte("TMPDIR="+s.temp+"\x00")) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(environ)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// wantGone waits until no process of the site is left.
func (s *site) wantGone() {
	s.Helper()
	eventually(s, "the end of all processes", func() bool { return len(s.processes()) == 0 })
}

func (s *site) exists(path string) bool {
	s.Helper()
	_, err := os.Lstat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.Fatal(err)
	}
	return err == nil
}

func (s *site) remove(path string) {
	s.Helper()
	if err := os.Remove(path); err != nil {
		s.Fatal(err)
	}
}
