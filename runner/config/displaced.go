package config

import (
	"slices"

	"github.com/stagehook/stagehook/sdk/hook"
)

// asked is a revalidator of a resume as the layers below the workspace's ask it.
type asked struct {
	step    Step
	builtin string
}

func (c *Config) asked() []asked {
	var list []asked
	for _, step := range c.Events[EventResume] {
		if step.Kind == hook.KindRevalidator {
			list = append(list, asked{step, c.Plugins[step.Plugin].Builtin})
		}
	}
	return list
}

// Displaced lists the revalidators of a resume that the workspace's file has
// displaced, while the user has not trusted it: left out, put under a condition,
// or replaced by another built-in. A stranger's file may ask more of them, but
// cannot have a route followed that the user's would refuse.
//
// What such a file says of a program is for [Config.Trusted].
func (c *Config) Displaced() []Step {
	if c.displaced == nil || c.workspace.trusted() {
		return nil
	}
	return c.displaced
}

// displacedOf compares what was asked with what is asked now.
func (c *Config) displacedOf(before []asked) []Step {
	ofWorkspace := func(path ...string) bool { return c.origins[keyPath(path).id()].Layer == LayerWorkspace }
	var displaced []Step
	for _, was := range before {
		step := was.step
		kept := slices.ContainsFunc(c.Events[EventResume], func(s Step) bool {
			return s.Kind == step.Kind && s.Plugin == step.Plugin && (s.When == WhenAlways || s.When == step.When)
		})
		now := c.Plugins[step.Plugin]
		left := ofWorkspace("events", EventResume) && !kept
		replaced := now.Origin.Layer == LayerWorkspace && now.Program() == nil && now.Builtin != was.builtin
		if left || replaced {
			displaced = append(displaced, step)
		}
	}
	return displaced
}
