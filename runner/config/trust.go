package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	return "read the file, then run: stagehook trust " + ShellWord(e.File)
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
	if !c.steered(plugin) || c.workspace.trusted() {
		return nil
	}
	p := c.Plugins[plugin]
	file := c.workspace.path
	if file == "" {
		file = p.Origin.Path
	}
	return &UntrustedError{File: file, Plugin: plugin, Command: p.Program()}
}

// NeedsTrust reports whether the named plugin is one that [Config.Trusted] asks the
// user's trust for.
func (c *Config) NeedsTrust(plugin string) bool { return c.steered(plugin) }

// steered reports whether the workspace's file has a say in what the plugin runs or
// is told of the user.
func (c *Config) steered(plugin string) bool {
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

// Trust records that the user trusts file as it is now, and returns the SHA-256
// of its content in hex. A file that is no valid layer is refused.
func Trust(file string) (string, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	if filepath.Base(path) != "stagehook.yaml" || filepath.Base(filepath.Dir(path)) != "datarim" {
		return "", fmt.Errorf("%s is no workspace's datarim/stagehook.yaml, and no other file needs trust", ShellWord(path))
	}
	data, err := readWorkspace(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s does not exist", ShellWord(path))
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", ShellWord(path), err)
	}
	if _, err := decode(Origin{Layer: LayerWorkspace, Path: path}, data); err != nil {
		return "", err
	}
	s := newSeal(path, data)
	return s.sha, s.store()
}

// seal identifies a file by its path and content.
type seal struct {
	path string // absolute, without symlinks
	sha  string // SHA-256 of the content, in hex
}

// newSeal seals a file that was read; there is no seal for a missing one.
func newSeal(path string, data []byte) seal {
	if data == nil {
		return seal{}
	}
	// One workspace must be the same one by whatever path it is reached.
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	sum := sha256.Sum256(data)
	return seal{path: path, sha: hex.EncodeToString(sum[:])}
}

// record is the content of the file that stands for the user's trust, a line as
// sha256sum writes it.
func (s seal) record() string { return s.sha + "  " + s.path + "\n" }

// file is where the record is kept, named after itself so that two workspaces
// with the same content do not share it.
func (s seal) file() (string, error) {
	folder, err := userFolder("XDG_STATE_HOME", filepath.Join(".local", "state"))
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(s.record()))
	return filepath.Join(folder, "trust", hex.EncodeToString(sum[:])), nil
}

// trusted reports whether the record exists. What cannot be read is not trusted.
func (s seal) trusted() bool {
	if s == (seal{}) {
		return false
	}
	file, err := s.file()
	if err != nil {
		return false
	}
	data, err := os.ReadFile(file)
	return err == nil && string(data) == s.record()
}

// store writes the record, whole or not at all.
func (s seal) store() error {
	name, err := s.file()
	if err != nil {
		return err
	}
	folder := filepath.Dir(name)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	// It may exist with other rights.
	if err := os.Chmod(folder, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(folder, ".new-*") // 0600
	if err != nil {
		return err
	}
	// Once it is renamed there is nothing to remove.
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = strings.NewReader(s.record()).WriteTo(file)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}
