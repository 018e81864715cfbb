//go:build unix

package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/stagehook/stagehook/sdk/identity"
)

// However a value is refused, that is one line and at most one with a hint, and
// the value can neither break the line nor steer a terminal. Where it is long,
// the line is not.
func TestInputThatIsRefusedStaysOnItsLine(t *testing.T) {
	stageExit := func(flag, value string) []string {
		args := []string{"stage-exit"}
		for name, usual := range map[string]string{
			"--task": "TUNE-0254", "--stage": "plan", "--command": "/dr-plan", "--captured-by": "agent",
			"--recommended-next": "/dr-do", "--body-file": "/dev/null",
		} {
			if name != flag {
				args = append(args, name, usual)
			}
		}
		return append(args, flag, value)
	}
	root := t.TempDir()
	values := map[string]string{
		"lines":   "x\nstagehook: y\r\n\x1b[2J\u0085\u2028\u202ez",
		"blanks":  "\n\n",
		"no UTF8": "a\xff\nb",
		"long":    "x\n" + strings.Repeat("long ", 20_000),
	}
	for kind, value := range values {
		commands := [][]string{
			{"archive", "--task", value},
			{"unlock", "--task", value},
			{"resume", "--task", value},
			{"resume", "--task", "TUNE-0254", "--format", value},
			{"validate", "--task", value},
			{"validate", "--task", "TUNE-0254", "--level", value},
			{"validate", "--task", "TUNE-0254", "--root", root + "/" + value},
			{"route", "--task", value},
			{"config", "show", "--config", value},
			{"config", "check", "--config", value},
			{"config", "show", "--profile", value},
			{"config", "show", "--log-level", value},
			{"config", value},
			{"plugins", "describe", value},
			{"trust", value},
			{"version", value},
			{value},
			{"version", "--" + value},
			{"version", "--root", root, "--" + value, value},
			{"stage-exit", "--" + value},
			{"stage-exit", "--json=" + value},
		}
		for _, flag := range []string{
			"--task", "--stage", "--command", "--captured-by", "--recommended-next", "--body-file", "--options-file", "--captured-at", "--root",
		} {
			commands = append(commands, stageExit(flag, value))
		}
		for _, args := range commands {
			c := callIn(t, root)
			c.Dir = root
			if args[0] == "stage-exit" || args[0] == "resume" || args[0] == "archive" {
				args = slices.Insert(args, 1, "--root="+root)
			}
			c.Args = append([]string{"stagehook"}, args...)
			c.run()
			lines := strings.Split(strings.TrimSuffix(c.stderr.String(), "\n"), "\n")
			hinted := len(lines) == 2 && strings.HasPrefix(lines[1], "stagehook: hint: ")
			if c.code == 0 || c.stdout.Len() > 0 || len(lines) != 1 && !hinted || !strings.HasPrefix(lines[0], "stagehook: ") ||
				strings.HasPrefix(lines[0], "stagehook: hint: ") {
				t.Errorf("%.60q with %s: exit code %d, stdout %q, stderr %q", args, kind, c.code, c.stdout.String(), c.stderr.String())
			}
			for _, line := range lines {
				if err := identity.Line("stderr", line); err != nil || len(line) > maxLine+100 {
					t.Errorf("%.60q with %s: %v, %d bytes: %.200q", args, kind, err, len(line), line)
				}
			}
		}
	}
}
