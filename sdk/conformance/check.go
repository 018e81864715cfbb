package conformance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
)

// Plugin is the program to check.
type Plugin struct {
	// Command is the program and its arguments. A program without a slash is
	// looked up in PATH.
	Command []string
	// Settings are what a configuration would hand over, a JSON object; empty for
	// none. A plugin that needs settings needs them here too.
	Settings []byte
}

// Check is the result of one check.
type Check struct {
	// Name is stable, such as "handshake".
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	// Detail is one line: what holds, or what went wrong.
	Detail string `json:"detail"`
}

// Passed reports whether all checks hold.
func Passed(checks []Check) bool {
	return !slices.ContainsFunc(checks, func(c Check) bool { return !c.OK })
}

// rule is one check before it is made. It returns what is wrong, nil when the
// plugin keeps the rule.
type rule struct {
	name  string
	holds string // what the rule says, for the detail of a check that passes
	check func(context.Context, *suite) error
	// gate is for a rule without which no other can be looked at.
	gate bool
	// applies says whether the plugin has what the rule is about; nil for always.
	applies func(*suite) bool
}

// suite is one run over a plugin.
type suite struct {
	plugin      Plugin
	described   *hook.Description // by the argument "describe"; nil when that failed
	description *hook.Description // by Configure
	printed     printed           // on standard output behind the handshakes
}

// Run makes the checks, which takes some seconds. Each has a process and a
// workspace of its own; the workspaces are temporary, and nothing else is named to
// the plugin. A check that does not apply to the plugin's kinds, or to the system,
// is left out, and the list ends early with a check without which there is nothing
// more to look at: the plugin did not start, refused its settings or did not answer.
//
// The error is that of ctx, or says that the program does not exist or that there
// is no room for a workspace. It says nothing of the plugin's checks.
func Run(ctx context.Context, p Plugin) ([]Check, error) {
	if len(p.Command) == 0 {
		return nil, errors.New("no program is named")
	}
	if _, err := exec.LookPath(p.Command[0]); err != nil {
		return nil, fmt.Errorf("%s cannot be started: %w", p.Command[0], cause(err))
	}
	s := &suite{plugin: p}
	var checks []Check
	for _, r := range rules() {
		if r.applies != nil && !r.applies(s) {
			continue
		}
		err := r.check(ctx, s)
		var host *hostError
		switch {
		case ctx.Err() != nil:
			return checks, ctx.Err()
		case errors.As(err, &host):
			return checks, host.err
		case err != nil:
			checks = append(checks, Check{Name: r.name, Detail: oneLine(err.Error())})
		default:
			checks = append(checks, Check{Name: r.name, OK: true, Detail: r.holds})
		}
		if err != nil && r.gate {
			break
		}
	}
	return checks, nil
}

// rules are in the order in which a host meets what they are about.
func rules() []rule {
	return slices.Concat(startRules(), settingsRules(), callRules(), wireRules(), endRules())
}

// hostError is a fault of this side, not of the plugin.
type hostError struct{ err error }

func (e *hostError) Error() string { return e.err.Error() }

// cause leaves out the path, which whoever reads the message has named.
func cause(err error) error {
	if lookup, ok := errors.AsType[*exec.Error](err); ok {
		err = lookup.Err
	}
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return err
}

// shownBytes bounds what is shown of a stranger's text.
const shownBytes = 300

func oneLine(text string) string { return identity.Shorten(identity.Blank(text), shownBytes) }
