package config

import (
	"fmt"
	"strings"
)

// UntrustedError says that a plugin was not started, since the workspace's file
// has a say in what it runs and the user has not trusted that file as it is now.
type UntrustedError struct {
	File    string   // the workspace's file
	Plugin  string   // the configured name
	Command []string // what would be run, see [Plugin.Program]; nil for a built-in that runs no program
}

func (e *UntrustedError) Error() string {
	program := "as a built-in with variables of yours"
	if e.Command != nil {
		program = fmt.Sprintf("as %q", e.Command)
	}
	return fmt.Sprintf("plugin %s: %s is not trusted to run it %s", e.Plugin, ShellWord(e.File), program)
}

// Hint says what to do, on one line.
func (e *UntrustedError) Hint() string {
	return "see what it would run, and trust it if you agree: stagehook trust " + ShellWord(e.File)
}

// ShellWord returns text as a word that a shell takes for just that text: in
// single quotes, unless it stands for itself.
func ShellWord(text string) string {
	if made(text, letters+digits+"_./:=@%+,-") {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// Trusted reports whether the named plugin may be started, as an
// [*UntrustedError] when the user has to trust the workspace's file first.
//
// Trust is needed when that file says anything of a plugin that runs a command,
// or of the built-in exec, whose settings name one, whoever named it, and when it
// passes variables of the user's environment to any plugin. So a workspace can neither run a program, nor steer
// one by arguments or settings, nor hand a secret to one. What it needs no trust
// for is which other built-in serves, with which settings and timeouts, and which
// of the plugins an event uses.
//
// Trust is for a file's path and content together. It covers the words of a
// command, not the program's bytes: sha256 pins those.
func (c *Config) Trusted(plugin string) error {
	if !c.NeedsTrust(plugin) || c.workspace.trusted() {
		return nil
	}
	p := c.Plugins[plugin]
	file := c.workspace.path
	if file == "" {
		file = p.Origin.Path
	}
	return &UntrustedError{File: file, Plugin: plugin, Command: p.Program()}
}

// NeedsTrust reports whether the workspace's file has a say in what the named plugin
// runs or is told of the user, so that [Config.Trusted] asks for trust.
func (c *Config) NeedsTrust(plugin string) bool {
	p := c.Plugins[plugin]
	path := keyPath{"plugins", plugin}
	said := c.origins.has(LayerWorkspace, path) || p.Origin.Layer == LayerWorkspace
	passes := c.origins.has(LayerWorkspace, path.with("env"))
	return said && (p.Program() != nil || passes)
}

// dropLogLevel drops the log level of a workspace's file that the user has not trusted:
// a stranger's file must not make a command speak that promises to be silent.
func (d *document) dropLogLevel(workspace seal) {
	if path := (keyPath{"log_level"}); d.has(path) && !workspace.trusted() {
		delete(d.lines, path.id())
	}
}
