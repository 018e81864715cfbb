package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// needs skips the test where a program is missing.
func (s *site) needs(program string) {
	s.Helper()
	if _, err := exec.LookPath(program); err != nil {
		s.Skip(err)
	}
}

// straced has a command and its plugins run under strace.
func (s *site) straced(cmd *exec.Cmd, args ...string) *exec.Cmd {
	s.Helper()
	s.needs("strace")
	traced := exec.Command("strace", append(append([]string{"-f", "-qqq"}, args...), cmd.Args...)...)
	traced.Dir, traced.Env = cmd.Dir, cmd.Env
	return traced
}

// attach has strace work on a running process.
func (s *site) attach(pid int, args ...string) {
	s.Helper()
	s.needs("strace")
	cmd := exec.Command("strace", append([]string{"-f", "-p", strconv.Itoa(pid)}, args...)...)
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	if said, _ := bufio.NewReader(stderr).ReadString('\n'); !strings.Contains(said, "attached") {
		s.Fatalf("strace: %s", said)
	}
}

// A step is what a plugin does by one of some system calls on one path.
type step struct {
	name  string
	calls string
	path  string // folder, tempFile, anything, or a name in a folder
}

const (
	folder   = "the folder"
	tempFile = "the temporary file"
	anything = ""
)

// inject runs a command, one step of which in the folder dir has an effect:
// "error=ERRNO" or "signal=NAME".
func (s *site) inject(cmd *exec.Cmd, dir string, step step, effect string) ending {
	s.Helper()
	args := []string{"-o", "/dev/null", "-e", "inject=" + step.calls + ":" + effect}
	switch step.path {
	case folder:
		args = append(args, "-P", dir)
	case tempFile: // whose name is known only once it is there
		s.needs("strace")
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		w := s.held(cmd, dir)
		s.attach(w.pid, append(args, "-P", w.temp)...)
		w.letGo()
		code := s.wait(cmd)
		return ending{code, stdout.String(), stderr.String()}
	case anything:
	default:
		args = append(args, "-P", step.path)
	}
	return s.run(s.straced(cmd, args...))
}

// traced runs a command that must succeed and returns, one a line and in order,
// what it and its plugins did with these system calls to files below the root:
// the call, and the paths from the root, with "*" for a random name's token.
func (s *site) traced(cmd *exec.Cmd, calls string) []string {
	s.Helper()
	log := filepath.Join(s.base, "trace")
	if end := s.run(s.straced(cmd, "-y", "-s", "0", "-o", log, "-e", "trace="+calls)); end.code != exitOK {
		s.Fatalf("%v ended with %d: %s", cmd.Args, end.code, end.stderr)
	}
	data, err := os.ReadFile(log)
	if err != nil {
		s.Fatal(err)
	}
	var done []string
	for line := range strings.Lines(string(data)) {
		call := tracedCall.FindStringSubmatch(line)
		if call == nil || !strings.Contains(line, "<"+s.root) {
			continue // the end of a call, or one on something else
		}
		done = append(done, strings.Join(append(call[1:2], s.operands(call[2])...), " "))
	}
	return done
}

var (
	// A number of a process, a call, and its arguments.
	tracedCall = regexp.MustCompile(`^\d+ +(\w+)\((.*)`)
	// A descriptor with its path, and perhaps the name in it.
	tracedOperand = regexp.MustCompile(`\d+<([^>]*)>(?:, "([^"]+)")?`)
	randomToken   = regexp.MustCompile(`\.[A-Z2-7]{26}\b`)
)

// operands are the paths in a call's arguments.
func (s *site) operands(args string) []string {
	var paths []string
	for _, operand := range tracedOperand.FindAllStringSubmatch(args, -1) {
		path, err := filepath.Rel(s.root, filepath.Join(operand[1], operand[2]))
		if err != nil {
			s.Fatal(err)
		}
		paths = append(paths, randomToken.ReplaceAllString(path, ".*"))
	}
	return paths
}

// What changes a file, a folder or what a crash of the system leaves of them.
const (
	filling  = "write,copy_file_range,sendfile"
	syncing  = "fsync,fdatasync,sync_file_range,sync,syncfs,msync"
	changing = syncing + ",/^(write|pwrite|truncate|ftruncate|rename|link|symlink|unlink|rmdir|mkdir|mknod|chmod|fchmod|chown|fchown|utime)"
)

// A stage exit makes its file durable before it has the snapshot's name, and the
// name before it reports success, and nothing else: each costs a disk's time.
func TestStageExitSyncsTwice(t *testing.T) {
	s := newSite(t)
	s.store("old")
	const temp, final = "datarim/snapshots/.tmp.TUNE-0254.snapshot.md.*", "datarim/snapshots/TUNE-0254.snapshot.md"
	s.wantTraced(s.stageExit("new"), filling+","+syncing+",rename,renameat,renameat2",
		"fill "+temp, "fsync "+temp, "renameat "+temp+" "+final, "fsync datarim/snapshots")
}

// So does an archiving, and the source goes only when the copy is durable.
func TestArchivingSyncsBeforeItRemoves(t *testing.T) {
	const source, dir = "datarim/snapshots/TUNE-0254.snapshot.md", "documentation/archive/framework/snapshots"
	const temp, final = dir + "/.tmp.TUNE-0254-final-stage.md.*", dir + "/TUNE-0254-final-stage.md"
	const calls = filling + "," + syncing + ",rename,renameat,renameat2,unlink,unlinkat"
	t.Run("on one file system", func(t *testing.T) {
		s := newSite(t)
		s.makeArchive()
		s.store("old")
		s.wantTraced(s.archive(), calls, "renameat2 "+source+" "+final, "fsync "+dir, "fsync datarim/snapshots")
	})
	t.Run("to another file system", func(t *testing.T) {
		s := newSite(t)
		s.mountArchive("")
		s.makeArchive()
		s.store("old")
		s.wantTraced(s.archive(), calls, "renameat2 "+source+" "+final, // which fails
			"fill "+temp, "fsync "+temp, "renameat2 "+temp+" "+final, "fsync "+dir, "unlinkat "+source, "fsync datarim/snapshots")
	})
}

// wantTraced fails the test unless a command makes these system calls and no
// others of their kind, in this order, but those on its lock. However often and by
// whichever call a file is given its content, that is "fill".
func (s *site) wantTraced(cmd *exec.Cmd, calls string, want ...string) {
	s.Helper()
	var got []string
	for _, call := range s.traced(cmd, calls) {
		if strings.Contains(call, "/.lock.") {
			continue
		}
		if name, _, _ := strings.Cut(call, " "); slices.Contains(strings.Split(filling, ","), name) {
			call = "fill " + call[strings.LastIndex(call, " ")+1:]
			if len(got) > 0 && got[len(got)-1] == call {
				continue
			}
		}
		got = append(got, call)
	}
	if !slices.Equal(got, want) {
		s.Errorf("it did\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestReadersChangeNothing(t *testing.T) {
	s := newSite(t)
	s.store("old")
	for _, name := range []string{"resume", "validate"} {
		cmd := s.command(name, "--root", s.root, "--task", siteTask)
		traced := s.traced(cmd, changing)
		if len(traced) > 0 {
			t.Errorf("%s did\n%s", name, strings.Join(traced, "\n"))
		}
	}
}
