package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

const (
	userPlugin = "plugins: {x: {command: [prog, arg], settings: {a: 1}, env: [TOKEN]}}"
	userExec   = "plugins: {x: {builtin: exec, settings: {command: [prog, arg]}}}"
)

// Trust trusts a file as it is, without a look.
func Trust(file string) (string, error) {
	p, err := Propose(Sources{SystemFile: "/no/such"}, file)
	if err != nil {
		return "", err
	}
	return p.SHA256, p.Trust()
}

func TestWhatNeedsTrust(t *testing.T) {
	for _, test := range []struct {
		name, user, workspace, plugin string
		needs                         bool
	}{
		{"no workspace file", userPlugin, "", "x", false},
		{"command of the workspace", "", "plugins: {x: {command: [evil]}}", "x", true},
		{"command in place of a builtin", "", "plugins: {archiver: {command: [evil]}}", "archiver", true},
		{"other plugins stay free", "", "plugins: {archiver: {command: [evil]}}", "snapshot-writer", false},
		{"a longer name is another plugin", userPlugin, "plugins: {xy: {command: [evil]}}", "x", false},
		{"same command again", userPlugin, "plugins: {x: {command: [prog, arg]}}", "x", true},
		{"settings of the user's command", userPlugin, "plugins: {x: {settings: {b: {c: 1}}}}", "x", true},
		{"variables of the user's command", userPlugin, "plugins: {x: {env: [AWS_SECRET_ACCESS_KEY]}}", "x", true},
		{"no variables for the user's command", userPlugin, "plugins: {x: {env: []}}", "x", true},
		{"mtls of the user's command", userPlugin, "plugins: {x: {mtls: false}}", "x", true},
		{"timeout of the user's command", userPlugin, "plugins: {x: {call_timeout: 1h}}", "x", true},
		{"empty entry", userPlugin, "plugins: {x: {}}", "x", false},
		{"steps with the user's command", userPlugin, "events: {archive: [{kind: observer, plugin: x}]}", "x", false},
		{"settings of a builtin", "", "plugins: {archiver: {settings: {areas: {X: y}}, call_timeout: 1m}}", "archiver", false},
		{"another builtin", userPlugin, "plugins: {x: {builtin: archiver, settings: {a: 1}}}", "x", false},
		{"variables of a builtin", "", "plugins: {archiver: {env: [LD_PRELOAD]}}", "archiver", true},

		{"exec of the workspace", "", "plugins: {x: {builtin: exec, settings: {command: [evil]}}}", "x", true},
		{"exec in place of a builtin", "", "plugins: {product-decision-route: {builtin: exec, settings: {command: [evil]}}}", "product-decision-route", true},
		{"exec without settings", "", "plugins: {x: {builtin: exec}}", "x", true},
		{"exec in place of the user's command", userPlugin, "plugins: {x: {builtin: exec, settings: {command: [prog]}}}", "x", true},
		{"exec in place of the user's exec", userExec, "plugins: {x: {builtin: exec, settings: {command: [prog, arg]}}}", "x", true},
		{"program of the user's exec", userExec, "plugins: {x: {settings: {command: [evil]}}}", "x", true},
		{"no list as the program", userExec, "plugins: {x: {settings: {command: evil}}}", "x", true},
		{"another setting of the user's exec", userExec, "plugins: {x: {settings: {a: 1}}}", "x", true},
		{"timeout of the user's exec", userExec, "plugins: {x: {call_timeout: 1h}}", "x", true},
		{"variables of the user's exec", userExec, "plugins: {x: {env: [TOKEN]}}", "x", true},
		{"empty entry of the user's exec", userExec, "plugins: {x: {}}", "x", false},
		{"steps with the user's exec", userExec, "events: {archive: [{kind: observer, plugin: x}]}", "x", false},
		{"the user's exec", userExec, "", "x", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[Layer]string{LayerUser: test.user}
			if test.workspace != "" {
				files[LayerWorkspace] = test.workspace
			}
			s := place(t, files)
			c := load(t, s)
			err := c.Trusted(test.plugin)
			var untrusted *UntrustedError
			if errors.As(err, &untrusted) != test.needs || (err != nil) != test.needs {
				t.Fatalf("error %v; needs trust: %t", err, test.needs)
			}
			if !test.needs {
				return
			}
			file := filepath.Join(s.Root, "datarim", "stagehook.yaml")
			if untrusted.Plugin != test.plugin || !sameFile(t, untrusted.File, file) ||
				!reflect.DeepEqual(untrusted.Command, program(c, test.plugin)) {
				t.Errorf("%+v", untrusted)
			}
			if _, err := Trust(file); err != nil {
				t.Fatal(err)
			}
			if err := c.Trusted(test.plugin); err != nil {
				t.Errorf("after trust: %v", err)
			}
		})
	}
}

func program(c *Config, name string) []string {
	plugin := c.Plugins[name]
	return plugin.Program()
}

func TestProgram(t *testing.T) {
	c := load(t, place(t, map[Layer]string{LayerFile: `plugins:
  command: {command: [prog, arg], settings: {command: [other]}}
  exec: {builtin: exec, settings: {command: [prog, "{root}", 1]}}
  none: {builtin: exec, settings: {command: prog}}`}))
	for name, want := range map[string][]string{
		"command": {"prog", "arg"}, "exec": {"prog", "{root}", "1"}, "none": {}, "archiver": nil,
	} {
		if got := program(c, name); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q; want %q", name, got, want)
		}
	}
}

// A layer above the workspace may take a plugin over; then the workspace has no
// say in it any more.
func TestCommandOfAHigherLayerNeedsNoTrust(t *testing.T) {
	c := load(t, place(t, map[Layer]string{
		LayerWorkspace: `plugins:
  x: {command: [evil], env: [TOKEN]}
  y: {command: [evil]}
  e: {builtin: exec, settings: {command: [evil]}}
  f: {builtin: exec, settings: {command: [evil]}}`,
		LayerFile: `plugins:
  x: {command: [mine]}
  y: {settings: {a: 1}}
  e: {builtin: exec, settings: {command: [mine]}}
  f: {settings: {command: [mine]}}`,
	}))
	for name, trusted := range map[string]bool{"x": true, "y": false, "e": true, "f": false} {
		if err := c.Trusted(name); (err == nil) != trusted {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// A configuration that a program made by hand has no file that could be trusted.
func TestWorkspaceOriginWithoutAFileIsNotTrusted(t *testing.T) {
	place(t, nil)
	c := Config{Plugins: map[string]Plugin{"x": {Command: []string{"evil"}, Origin: Origin{Layer: LayerWorkspace, Path: "/f"}}}}
	var untrusted *UntrustedError
	if err := c.Trusted("x"); !errors.As(err, &untrusted) || untrusted.File != "/f" {
		t.Errorf("error %v", err)
	}
}

func TestTrustIsForPathAndContent(t *testing.T) {
	const text = "plugins: {x: {command: [evil]}}\n"
	s := place(t, map[Layer]string{LayerWorkspace: text})
	file := filepath.Join(s.Root, "datarim", "stagehook.yaml")
	before := load(t, s)
	sha, err := Trust(file)
	sum := sha256.Sum256([]byte(text))
	if err != nil || sha != hex.EncodeToString(sum[:]) {
		t.Fatalf("sha %s, %v", sha, err)
	}
	if err := before.Trusted("x"); err != nil {
		t.Error(err)
	}

	write(t, file, text+"# changed\n")
	if err := load(t, s).Trusted("x"); err == nil {
		t.Error("changed content is trusted")
	}
	if err := before.Trusted("x"); err != nil {
		t.Errorf("what was loaded before the change: %v", err)
	}
	write(t, file, text)
	if err := load(t, s).Trusted("x"); err != nil {
		t.Errorf("the old content again: %v", err)
	}

	other := s
	other.Root = filepath.Join(t.TempDir(), "copy")
	copied := filepath.Join(other.Root, "datarim", "stagehook.yaml")
	write(t, copied, text)
	if err := load(t, other).Trusted("x"); err == nil {
		t.Error("the same content elsewhere is trusted")
	}
	if _, err := Trust(copied); err != nil {
		t.Fatal(err)
	}
	for _, sources := range []Sources{s, other} {
		if err := load(t, sources).Trusted("x"); err != nil {
			t.Errorf("two copies do not stand beside each other: %v", err)
		}
	}
}

func TestTrustHoldsByWhateverPathTheWorkspaceIsReached(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs rights to make symlinks")
	}
	s := place(t, map[Layer]string{LayerWorkspace: "plugins: {x: {command: [evil]}}\n"})
	linked := s
	linked.Root = filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(s.Root, linked.Root); err != nil {
		t.Fatal(err)
	}
	t.Chdir(linked.Root)
	if _, err := Trust("datarim/stagehook.yaml"); err != nil {
		t.Fatal(err)
	}
	for _, sources := range []Sources{s, linked} {
		if err := load(t, sources).Trusted("x"); err != nil {
			t.Error(err)
		}
	}
}

func TestTrustRecordsArePrivate(t *testing.T) {
	s := place(t, map[Layer]string{LayerWorkspace: "plugins: {x: {command: [evil]}}\n"})
	file := filepath.Join(s.Root, "datarim", "stagehook.yaml")
	folder := filepath.Join(os.Getenv("XDG_STATE_HOME"), "stagehook", "trust")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	sha, err := Trust(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Trust(file); err != nil {
		t.Errorf("a second time: %v", err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 || entries[1].Name() != entries[0].Name()+contentSuffix {
		t.Fatalf("%v, %v; want a record and its content", entries, err)
	}
	record := filepath.Join(folder, entries[0].Name())
	resolved, err := filepath.EvalSymlinks(file)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(record); err != nil || string(text) != sha+"  "+resolved+"\n" {
		t.Errorf("record %q, %v", text, err)
	}
	if runtime.GOOS != "windows" {
		for path, want := range map[string]fs.FileMode{folder: 0o700, record: 0o600, record + contentSuffix: 0o600} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s is %v, %v; want %v", path, info.Mode(), err, want)
			}
		}
	}
	// A record whose content says something else is no trust.
	write(t, record, sha+"  /elsewhere\n")
	if err := load(t, s).Trusted("x"); err == nil {
		t.Error("a forged record counts")
	}
}

func TestTrustRefuses(t *testing.T) {
	s := place(t, map[Layer]string{LayerWorkspace: "plugins: {x: {comand: [evil]}}\n"})
	file := filepath.Join(s.Root, "datarim", "stagehook.yaml")
	if sha, err := Trust(file); err == nil {
		t.Errorf("a broken file is trusted as %s", sha)
	}
	if _, err := Trust(filepath.Dir(file)); err == nil {
		t.Error("a folder is trusted")
	}
	if _, err := Trust(file + ".none"); err == nil || !strings.Contains(err.Error(), "no other file needs trust") {
		t.Errorf("error %v", err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, err := Trust(file); err == nil || !strings.HasSuffix(err.Error(), " does not exist") {
		t.Errorf("error %v", err)
	}
}

func TestUntrustedErrorSaysWhatToDo(t *testing.T) {
	err := &UntrustedError{File: "/w/datarim/stagehook.yaml", Plugin: "x", Command: []string{"/w/run", "-v"}}
	if got, want := err.Error(), `plugin x: /w/datarim/stagehook.yaml is not trusted to run it as ["/w/run" "-v"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := err.Hint(), "see what it would run, and trust it if you agree: stagehook trust /w/datarim/stagehook.yaml"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	err = &UntrustedError{File: "/my work/datarim/stagehook.yaml", Plugin: "x"}
	if got, want := err.Error(), `plugin x: '/my work/datarim/stagehook.yaml' is not trusted to run it as a built-in with variables of yours`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func sameFile(t *testing.T, a, b string) bool {
	t.Helper()
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// A workspace's log level takes effect only with trust; until then the layer
// below decides, and no other key of the file is lost.
func TestLogLevelOfTheWorkspaceNeedsTrust(t *testing.T) {
	for name, test := range map[string]struct {
		user, without string
		origin        Layer
	}{
		"above the defaults": {"", "off", LayerDefault},
		"above the user's":   {"log_level: warn", "warn", LayerUser},
	} {
		t.Run(name, func(t *testing.T) {
			s := place(t, map[Layer]string{LayerUser: test.user, LayerWorkspace: "log_level: trace\nmarker: <!-- m -->\n"})
			c := load(t, s)
			if got := originOf(c, "log_level").Layer; c.LogLevel != test.without || got != test.origin || c.Marker != "<!-- m -->" {
				t.Errorf("without trust: %q from the layer %s, marker %q", c.LogLevel, got, c.Marker)
			}
			if _, err := Trust(filepath.Join(s.Root, "datarim", "stagehook.yaml")); err != nil {
				t.Fatal(err)
			}
			c = load(t, s)
			if got := originOf(c, "log_level").Layer; c.LogLevel != "trace" || got != LayerWorkspace {
				t.Errorf("with trust: %q from the layer %s", c.LogLevel, got)
			}
		})
	}
}

// A stranger may have named the folder, and the user may paste the hint.
func TestTrustHintRunsNothing(t *testing.T) {
	err := &UntrustedError{File: "/a$(id)`id`'b/datarim/stagehook.yaml"}
	if want := "see what it would run, and trust it if you agree: stagehook trust '/a$(id)`id`'\\''b/datarim/stagehook.yaml'"; err.Hint() != want {
		t.Errorf("got %s, want %s", err.Hint(), want)
	}
}
