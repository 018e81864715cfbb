package config

import (
	"path/filepath"
	"strings"
	"testing"
)

// A workspace's file may ask more of the revalidators, and nothing less, until the
// user trusts it.
func TestDisplaced(t *testing.T) {
	const (
		user = `
plugins: {mine: {command: [mine]}, helper: {builtin: exec, settings: {command: [helper]}}}
events:
  resume:
    - {kind: validator, plugin: snapshot-validator}
    - {kind: revalidator, plugin: mine}
    - {kind: revalidator, plugin: helper, when: records-or-projection}
    - {kind: renderer, plugin: replay-renderer}
`
		begin  = "{kind: validator, plugin: snapshot-validator}, "
		end    = "{kind: renderer, plugin: replay-renderer}"
		mine   = "{kind: revalidator, plugin: mine}, "
		helper = "{kind: revalidator, plugin: helper, when: records-or-projection}, "
	)
	resume := func(steps ...string) string {
		return "events: {resume: [" + begin + strings.Join(steps, "") + end + "]}"
	}
	for name, test := range map[string]struct{ user, workspace, file, want string }{
		"nothing said":            {user, "log_level: debug", "", ""},
		"the same":                {user, resume(mine, helper), "", ""},
		"in another order":        {user, resume(helper, mine), "", ""},
		"one more":                {user, resume(mine, "{kind: revalidator, plugin: product-decision-route}, ", helper), "", ""},
		"without a condition":     {user, resume(mine, "{kind: revalidator, plugin: helper}, "), "", ""},
		"one left out":            {user, resume(helper), "", "mine"},
		"all left out":            {user, resume(), "", "mine helper"},
		"under a condition":       {user, resume("{kind: revalidator, plugin: mine, when: records-or-projection}, ", helper), "", "mine"},
		"under another condition": {user, resume(mine, "{kind: revalidator, plugin: helper, when: snapshot}, "), "", "helper"},
		"as another kind":         {user, resume("{kind: observer, plugin: mine}, ", helper), "", "mine"},
		"another built-in":        {user, "plugins: {helper: {builtin: product-decision-route}}", "", "helper"},
		"the default left out":    {"", resume(), "", "product-decision-route"},
		"the default replaced":    {"", "plugins: {product-decision-route: {builtin: archiver}}", "", "product-decision-route"},
		"a higher layer decides":  {user, resume(), resume(mine), ""},
		"a higher layer's plugin": {user, "plugins: {helper: {builtin: product-decision-route}}", "plugins: {helper: {command: [other]}}", ""},
		"a program is for trust":  {user, "plugins: {helper: {command: [other]}}", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[Layer]string{LayerUser: test.user, LayerWorkspace: test.workspace}
			if test.file != "" {
				files[LayerFile] = test.file
			}
			s := place(t, files)
			if got := displaced(load(t, s)); got != test.want {
				t.Errorf("displaced %q; want %q", got, test.want)
			}
			if _, err := Trust(filepath.Join(s.Root, "datarim", "stagehook.yaml")); err != nil {
				t.Fatal(err)
			}
			if got := displaced(load(t, s)); got != "" {
				t.Errorf("of a trusted file: displaced %q", got)
			}
		})
	}
}

func displaced(c *Config) string {
	var names []string
	for _, step := range c.Displaced() {
		names = append(names, step.Plugin)
	}
	return strings.Join(names, " ")
}
