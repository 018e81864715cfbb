package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	// The limits of the faulty plugins.
	startLimit = 4 * time.Second
	callLimit  = 2 * time.Second
	// overtime is how long after its limit a fault may take to be reported and tidied
	// up. A busy machine has several tries.
	overtime = time.Second
	tries    = 4
)

// fault is a fault of the plugin that validates what a stage exit has stored.
type fault struct {
	command []string
	sha256  string
	cause   string // a pattern for what is said of the plugin
	hint    bool
	calls   bool          // it comes as far as its call
	limit   time.Duration // of its call, if not callLimit
	left    int           // processes
}

// configured writes the configuration with the faulty plugin.
func (s *site) configured(f fault) string {
	words := make([]string, len(f.command))
	for i, word := range f.command {
		words[i] = fmt.Sprintf("%q", word)
	}
	pin := ""
	if f.sha256 != "" {
		pin = "sha256: \"" + f.sha256 + "\","
	}
	file := filepath.Join(s.base, "config.yaml")
	s.plant(file, fmt.Sprintf(`plugins:
  snapshot-validator: {command: [%s], %s env: [GORACE], start_timeout: %s, call_timeout: %s, stop_timeout: 1h}
`, strings.Join(words, ","), pin, startLimit, cmp.Or(f.limit, callLimit)))
	return file
}

// faultyExit prepares a stage exit with the fault.
func (s *site) faultyExit(f fault) *exec.Cmd {
	s.Helper()
	program, err := exec.LookPath("stagehook") // built with the race detector, if the test is
	if err != nil {
		s.Fatal(err)
	}
	cmd := s.stageExit("old")
	cmd.Path, cmd.Args = program, append(cmd.Args, "--config", s.configured(f))
	cmd.Env = append(cmd.Env, "XDG_RUNTIME_DIR=", "GORACE=atexit_sleep_ms=0")
	s.Cleanup(func() { // of a test that has failed
		for _, pid := range s.processes() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return cmd
}

// fails runs a stage exit with the fault. It is reported in one line, perhaps with
// a hint, within the limit; nothing of the run is left but the snapshot. It returns
// how long it took.
func (s *site) fails(f fault) time.Duration {
	s.Helper()
	cmd := s.faultyExit(f)
	begin := time.Now()
	end := s.run(cmd)
	elapsed := time.Since(begin)
	lines := strings.Split(strings.TrimSuffix(end.stderr, "\n"), "\n")
	want := regexp.MustCompile("^stagehook: plugin snapshot-validator: " + f.cause + "$")
	if end.code != exitPlugin || end.stdout != "" || !want.MatchString(lines[0]) {
		s.Errorf("exit code %d, stdout %q, stderr %q; want %s", end.code, end.stdout, end.stderr, want)
	}
	if hint := len(lines) == 2 && strings.HasPrefix(lines[1], "stagehook: hint: "); len(lines) > 2 || hint != f.hint {
		s.Errorf("stderr %q; want a hint: %t", end.stderr, f.hint)
	}
	eventually(s, "the end of the plugin's processes", func() bool { return len(s.processes()) <= f.left })
	for _, pid := range s.processes() { // whatever has left for a session of its own
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			s.Error(err)
		}
		f.left--
	}
	if f.left != 0 {
		s.Errorf("%d processes are missing", f.left)
	}
	s.wantGone()
	s.wantOnly(s.temp)
	s.wantClean()
	return elapsed
}

// Whatever is wrong with a plugin, its runner says so in one line and in time, and
// leaves nothing behind.
func TestFaultyPlugin(t *testing.T) {
	dir := newSite(t).base
	program := func(name, content string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	foreign := "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 9) + "\x02\x00\xee\xee\x01" + strings.Repeat("\x00", 200)
	script := func(text string) []string { return []string{"sh", "-c", text, "plugin"} }
	mode := func(name string) []string { return []string{"faultplugin", name} }
	const x10MB = `head -c 10000000 /dev/zero | tr '\0' x`
	for name, f := range map[string]fault{
		"missing":              {command: []string{dir + "/missing"}, cause: dir + `/missing does not exist`},
		"not in PATH":          {command: []string{"no-such-plugin"}, cause: `no-such-plugin is not in PATH`, hint: true},
		"not executable":       {command: []string{program("plain", "#!/bin/sh\n", 0o644)}, cause: dir + `/plain may not be executed`, hint: true},
		"wrong architecture":   {command: []string{program("foreign", foreign, 0o755)}, cause: dir + `/foreign is not a program for this system`, hint: true},
		"prints text":          {command: script(`echo hello; exec sleep 300`), cause: `printed "hello" instead of a handshake`, hint: true},
		"exits 0 at once":      {command: script(`exit 0`), cause: `exited with status 0 before it was ready`},
		"prints before":        {command: mode("early"), cause: `printed "starting up" instead of a handshake`, hint: true},
		"10 MB on stdout":      {command: script(x10MB + `; exec sleep 300`), cause: `printed "x{80}…" instead of a handshake`, hint: true},
		"10 MB on stderr":      {command: script(x10MB + ` >&2; exit 3`), cause: `exited with status 3 before it was ready: x{400}…`},
		"10 MB in its call":    {command: mode("print"), cause: `crashed: exited with status 3: x{400}…`, calls: true},
		"mistyped log line":    {command: script(`echo '{"@message":1}' >&2; exit 3`), cause: `exited with status 3 before it was ready: {"@message":1}`},
		"panics":               {command: mode("panic"), cause: `failed: panic: out of cheese`, calls: true},
		"crashes by a panic":   {command: mode("crash"), cause: `crashed: exited with status 2: panic: out of`, calls: true},
		"exits in its call":    {command: mode("exit"), cause: `ended before it answered`, calls: true},
		"never shakes hands":   {command: script(`exec sleep 300`), cause: `was not ready within 4s`},
		"never answers":        {command: mode("mute"), cause: `did not answer within 2s`, calls: true},
		"stops at its start":   {command: mode("stopped"), cause: `was not ready within 4s`},
		"stops itself":         {command: mode("stop"), cause: `did not answer within 2s`, calls: true},
		"ignores signals":      {command: mode("deaf"), cause: `did not answer within 2s`, calls: true},
		"ignores them, script": {command: script(`trap '' TERM INT HUP; while :; do sleep 300; done`), cause: `was not ready within 4s`},
		"leaves a grandchild":  {command: mode("grandchild"), cause: `crashed: exited with status 3`, calls: true},
		// It has left for a session of its own, see docs/guarantees.md.
		"forks away":        {command: mode("session"), cause: `crashed: exited with status 3`, calls: true, left: 1},
		"another kind":      {command: mode("observer"), cause: `serves no validator`},
		"100 MB":            {command: mode("big"), cause: `sent or was sent a message of more than 32 MiB`, calls: true, limit: patience / 2},
		"another task":      {command: mode("other task"), cause: `broke the protocol: .*OTHER-0001.*`, calls: true},
		"closes its socket": {command: mode("disconnect"), cause: `closed the connection`, calls: true},
	} {
		t.Run(name, func(t *testing.T) {
			limit := startLimit + overtime
			if f.calls {
				limit += cmp.Or(f.limit, callLimit)
			}
			for range tries {
				if newSite(t).fails(f) <= limit {
					return
				}
			}
			t.Errorf("took more than %s", limit)
		})
	}
}

// A plugin that puts another program in its own place is what it was until it ends;
// then the pin keeps the other one from being started.
func TestPluginReplacesItself(t *testing.T) {
	s := newSite(t)
	self, err := exec.LookPath("faultplugin")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	// The test binary knows by its name what it is.
	path := filepath.Join(s.base, "faultplugin")
	if err := os.WriteFile(path, data, 0o755); err != nil {
		t.Fatal(err)
	}
	f := fault{
		command: []string{path, "replace", path}, sha256: fmt.Sprintf("%x", sha256.Sum256(data)),
		cause: `crashed: exited with status 3`, calls: true,
	}
	s.fails(f)
	if now, err := os.ReadFile(path); err != nil || bytes.Equal(now, data) {
		t.Fatalf("it is what it was: %v", err)
	}
	f.cause, f.hint = path+` is not the pinned program: its sha256 is [0-9a-f]{64}`, true
	s.fails(f)
}

// When the runner is killed its plugins end, whatever they are at, and the next run
// removes the folder of a socket that they could not.
func TestPluginsEndWithAKilledRunner(t *testing.T) {
	for name, command := range map[string][]string{
		"in its call":         {"faultplugin", "mute"},
		"stopped in its call": {"faultplugin", "stop"},
		"stopped at start":    {"faultplugin", "stopped"},
		"no plugin":           {"sh", "-c", `>"$0"; exec sleep 300`},
		"no plugin, stopped":  {"sh", "-c", `>"$0"; kill -STOP $$; exec sleep 300`},
		"ignores signals":     {"faultplugin", "deaf"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			begun := filepath.Join(s.base, "begun")
			f := fault{command: append(command, begun), limit: time.Hour}
			cmd := s.faultyExit(f)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the snapshot and the plugin", func() bool { return s.exists(s.snapshot()) && s.exists(begun) })
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			s.wantGone()
			s.wantClean()
			s.must(s.stageExit("new"))
			s.wantOnly(s.temp)
		})
	}
}

// Where the folder of a socket finds no room, that is said with what to do.
func TestNoRoomForASocket(t *testing.T) {
	s := newSite(t)
	s.mount(s.temp, "nr_inodes=1")
	end := s.run(s.stageExit("old"))
	want := regexp.MustCompile(`^stagehook: plugin snapshot-writer: no folder for its socket: mkdir ` + s.temp + `/plugin-dir\d+: no space left on device
stagehook: hint: make room there, or set TMPDIR to a folder that can be written
$`)
	if end.code != exitPlugin || end.stdout != "" || !want.MatchString(end.stderr) {
		t.Errorf("exit code %d, stdout %q, stderr %q", end.code, end.stdout, end.stderr)
	}
}
