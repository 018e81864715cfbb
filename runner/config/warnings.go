package config

import (
	"fmt"
	"maps"
	"slices"
)

// Warnings tells what is valid and yet has perhaps not the effect that its author
// expects, a line each.
func (c *Config) Warnings() []string {
	var warnings []string
	used := map[string]bool{}
	for _, steps := range c.Events {
		for _, step := range steps {
			used[step.Plugin] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Plugins)) {
		if origin := c.Plugins[name].Origin; !used[name] && origin.Layer != LayerDefault {
			warnings = append(warnings, fmt.Sprintf("%s: plugins.%s: no event has a step for it", origin, name))
		}
	}
	for _, step := range c.Displaced() {
		warnings = append(warnings, fmt.Sprintf("%s displaces the revalidator %s, so that every route is refused which that would be asked for", ShellWord(c.workspace.path), step.Plugin))
	}
	if c.workspace.path != "" && !c.workspace.trusted() {
		warnings = append(warnings, fmt.Sprintf("%s is not trusted: its log_level, and what it says of programs, do not count", ShellWord(c.workspace.path)))
	}
	return warnings
}
