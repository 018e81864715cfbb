package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// stranger is a user who has nothing to do with the site.
const stranger = 4711

// chmod sets all bits of a mode.
func (s *site) chmod(path string, mode uint32) {
	s.Helper()
	if err := syscall.Chmod(path, mode); err != nil {
		s.Fatal(err)
	}
}

// replaced is a site whose revalidator is a script of its own, named by its path, by
// its name in PATH, or as the helper of exec.
func replaced(t *testing.T, kind string) (s *site, folder string) {
	s = newSite(t)
	folder = filepath.Join(s.base, "bin")
	s.plant(filepath.Join(folder, "helper"), "#!/bin/sh\necho started >>"+s.base+"/started\nexit 3\n")
	s.chmod(folder, 0o755)
	s.chmod(filepath.Join(folder, "helper"), 0o755)
	command := map[string]string{
		"a path":           "{command: [" + folder + "/helper]}",
		"a name":           "{command: [helper]}",
		"a path for exec":  "{builtin: exec, settings: {command: [" + folder + "/helper]}}",
		"a name for exec":  "{builtin: exec, settings: {command: [helper]}}",
		"a pinned program": "{command: [" + folder + "/helper], sha256: " + strings.Repeat("ab", 32) + "}",
	}[kind]
	s.plant(filepath.Join(s.base, "config.yaml"), "plugins: {product-decision-route: "+command+"}\n")
	s.chmod(filepath.Join(s.base, "config.yaml"), 0o644)
	s.store("old")
	return s, folder
}

func (s *site) route(folder string) *exec.Cmd {
	cmd := s.command("route", "--root", s.root, "--task", siteTask, "--config", filepath.Join(s.base, "config.yaml"))
	cmd.Env = append(cmd.Env, "PATH="+folder+":"+os.Getenv("PATH"))
	return cmd
}

// A program that another user can replace is not started, however it is named.
func TestUnsafeProgramIsNotStarted(t *testing.T) {
	for _, kind := range []string{"a path", "a name", "a path for exec", "a name for exec", "a pinned program"} {
		for fault, test := range map[string]struct {
			spoil func(s *site, folder string)
			cause string
		}{
			"writable folder":  {func(s *site, folder string) { s.chmod(folder, 0o777) }, "every user may write to FOLDER"},
			"writable program": {func(s *site, folder string) { s.chmod(folder+"/helper", 0o777) }, "every user may write to FOLDER/helper"},
			"another's program": {func(s *site, folder string) {
				if err := os.Chown(folder+"/helper", stranger, stranger); err != nil {
					s.Fatal(err)
				}
			}, "FOLDER/helper belongs to user 4711, who is neither you nor root"},
		} {
			t.Run(kind+", "+fault, func(t *testing.T) {
				s, folder := replaced(t, kind)
				test.spoil(s, folder)
				end := s.run(s.route(folder))
				cause := "plugin product-decision-route: its program is not safe from others: "
				if strings.HasSuffix(kind, "for exec") {
					cause = "plugin product-decision-route: failed: the helper is not safe from others: "
				}
				lines := strings.Split(end.stderr, "\n")
				if want := "stagehook: " + cause + strings.ReplaceAll(test.cause, "FOLDER", folder); end.code != exitPlugin || end.stdout != "" ||
					len(lines) != 3 || lines[0] != want || !strings.HasPrefix(lines[1], "stagehook: hint: ") {
					t.Errorf("exit code %d, stdout %q, stderr %q; want %s", end.code, end.stdout, end.stderr, want)
				}
				if s.exists(s.base + "/started") {
					t.Error("it was started")
				}
			})
		}
	}
}

// Root's programs and one's own are started, by root and by others.
func TestSafeProgramIsStarted(t *testing.T) {
	for _, kind := range []string{"a path", "a name for exec"} {
		for _, user := range []int{0, stranger} {
			s, folder := replaced(t, kind)
			for _, path := range []string{s.base, s.root, s.path("datarim"), s.snapshots(), s.snapshot(), s.temp} {
				if err := os.Chown(path, user, user); err != nil {
					t.Fatal(err)
				}
			}
			cmd := s.route(folder)
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(user), Gid: uint32(user)}}
			end := s.run(cmd)
			if started := s.exists(s.base + "/started"); !started || strings.Contains(end.stderr, "not safe") {
				t.Errorf("%s, user %d: started %t, %s", kind, user, started, end.stderr)
			}
		}
	}
}
