package config

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/viper"

	"github.com/stagehook/stagehook/sdk/hook"
)

// place gives the test an environment of its own and writes the files of the
// given layers into it.
func place(t *testing.T, files map[Layer]string) Sources {
	t.Helper()
	dir := t.TempDir()
	for _, key := range scalarKeys() {
		for _, name := range variables(key) {
			t.Setenv(name, "")
		}
	}
	t.Setenv("HOME", filepath.Join(dir, "home"))
	t.Setenv("USERPROFILE", filepath.Join(dir, "home"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "xdg"))
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	s := Sources{SystemFile: filepath.Join(dir, "etc", "config.yaml"), Root: filepath.Join(dir, "root")}
	paths := map[Layer]string{
		LayerSystem:    s.SystemFile,
		LayerUser:      filepath.Join(dir, "xdg", "stagehook", "config.yaml"),
		LayerWorkspace: filepath.Join(s.Root, "datarim", "stagehook.yaml"),
		LayerFile:      filepath.Join(dir, "given", "file.yaml"),
	}
	for layer, text := range files {
		write(t, paths[layer], text)
		if layer == LayerFile {
			s.File = paths[layer]
		}
	}
	return s
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func load(t *testing.T, s Sources) *Config {
	t.Helper()
	c, err := Load(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func originOf(c *Config, path ...string) Origin { return c.origins[keyPath(path).id()] }

func TestDefaults(t *testing.T) {
	c := load(t, place(t, nil))
	builtins := slices.Sorted(slices.Values(Builtins()))
	builtins = slices.DeleteFunc(builtins, func(name string) bool { return name == builtinExec }) // it needs settings
	if got := slices.Sorted(maps.Keys(c.Plugins)); !slices.Equal(got, builtins) {
		t.Errorf("plugins %v, want %v", got, builtins)
	}
	for name, p := range c.Plugins {
		want := Plugin{
			Name: name, Builtin: name, Origin: p.Origin,
			StartTimeout: 10 * time.Second, CallTimeout: 30 * time.Second, StopTimeout: 2 * time.Second,
		}
		if !reflect.DeepEqual(p, want) {
			t.Errorf("plugin %+v, want %+v", p, want)
		}
	}
	steps := map[string][]Step{
		EventStageExit: {
			{Kind: hook.KindWriter, Plugin: "snapshot-writer"},
			{Kind: hook.KindValidator, Plugin: "snapshot-validator"},
			{Kind: hook.KindArchiver, Plugin: "archiver", Stages: []string{"archive"}},
		},
		EventResume: {
			{Kind: hook.KindValidator, Plugin: "snapshot-validator", When: WhenSnapshot},
			{Kind: hook.KindRevalidator, Plugin: "product-decision-route", When: WhenRecordsOrProjection},
			{Kind: hook.KindRenderer, Plugin: "replay-renderer"},
		},
		EventArchive: {{Kind: hook.KindArchiver, Plugin: "archiver", When: WhenSnapshot}},
	}
	if !reflect.DeepEqual(c.Events, steps) {
		t.Errorf("events %+v, want %+v", c.Events, steps)
	}
	if c.LockTimeout != "60" || c.LogLevel != "off" || c.Profile != "" || len(c.Stages) != 0 ||
		c.Marker != "<!-- snapshot-truncated, full response in session jsonl -->" {
		t.Errorf("values %+v", c)
	}
}

// Each round adds one layer; it must win over everything below.
func TestEachLayerWinsOverTheOneBelow(t *testing.T) {
	files := map[Layer]string{
		LayerSystem:    "lock_timeout: 1\nstages: [s1]\n",
		LayerUser:      "stages: [s2]\nlock_timeout: 2\n",
		LayerWorkspace: "\n\nlock_timeout: '3'\nstages: [s3]\n",
		LayerFile:      "lock_timeout: 4.5\nstages: [s4]\n",
	}
	given := map[Layer]string{}
	for _, round := range []struct {
		layer           Layer
		timeout, stages string
		line            int
	}{
		{LayerDefault, "60", "", 0},
		{LayerSystem, "1", "s1", 1},
		{LayerUser, "2", "s2", 2},
		{LayerWorkspace, "3", "s3", 3},
		{LayerFile, "4.5", "s4", 1},
	} {
		if text, ok := files[round.layer]; ok {
			given[round.layer] = text
		}
		c := load(t, place(t, given))
		if got := strings.Join(c.Stages, " "); c.LockTimeout != round.timeout || got != round.stages {
			t.Errorf("%s: lock_timeout %q, stages %q", round.layer, c.LockTimeout, got)
		}
		for _, key := range []string{"lock_timeout", "stages"} {
			if got := originOf(c, key); got.Layer != round.layer {
				t.Errorf("%s: origin of %s is %+v", round.layer, key, got)
			}
		}
		if got := originOf(c, "lock_timeout"); round.line > 0 && got.Line != round.line {
			t.Errorf("%s: origin %s, want line %d", round.layer, got, round.line)
		}
	}

	s := place(t, files)
	variable := func(name, value, want string) {
		t.Helper()
		t.Setenv(name, value)
		c := load(t, s)
		if got := originOf(c, "lock_timeout").String(); c.LockTimeout != value || got != want {
			t.Errorf("lock_timeout %q from %s, want %q from %s", c.LockTimeout, got, value, want)
		}
	}
	variable("STAGEHOOK_LOCK_TIMEOUT", "5", "environment STAGEHOOK_LOCK_TIMEOUT")
	variable("DR_SNAPSHOT_LOCK_TIMEOUT", "6", "environment DR_SNAPSHOT_LOCK_TIMEOUT")
	s.Flags = map[string]string{"lock_timeout": "7"}
	variable("DR_SNAPSHOT_LOCK_TIMEOUT", "7", "flag --lock-timeout")
}

func TestEveryScalarKeyFromEnvironmentAndFlag(t *testing.T) {
	values := map[string]string{
		"profile": "datarim-2.67", "task_id_pattern": "X+", "marker": "<!-- Cut -->", "lock_timeout": "not checked here",
		"input_timeout": "4s", "start_timeout": "1s", "call_timeout": "2s", "stop_timeout": "3s", "log_level": "debug",
	}
	for _, key := range scalarKeys() {
		s := place(t, nil)
		name := "STAGEHOOK_" + strings.ToUpper(key)
		t.Setenv(name, values[key])
		c := load(t, s)
		if got := c.scalars()[key]; got != values[key] || originOf(c, key).String() != "environment "+name {
			t.Errorf("%s: %q from %s", name, got, originOf(c, key))
		}
		t.Setenv(name, "")
		if got := originOf(load(t, s), key).Layer; got != LayerDefault {
			t.Errorf("%s: an empty variable counts: from %s", name, got)
		}
		s.Flags = map[string]string{key: values[key]}
		if c = load(t, s); c.scalars()[key] != values[key] || originOf(c, key).Layer != LayerFlag {
			t.Errorf("flag for %s: %q from %s", key, c.scalars()[key], originOf(c, key))
		}
	}
}

func TestVariablesThatAreNotOursAreIgnored(t *testing.T) {
	s := place(t, nil)
	want := load(t, s)
	t.Setenv("STAGEHOOK_PLUGINS", "x")
	t.Setenv("STAGEHOOK_NO_SUCH_KEY", "x")
	t.Setenv("LOG_LEVEL", "debug")
	if got := load(t, s); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// A profile lies below every file, whichever layer names it.
func TestProfileLiesAboveTheDefaults(t *testing.T) {
	const name, pattern = "datarim-2.67", `^[A-Z]{2,10}-[0-9]{4}(-[A-Za-z0-9]+)*$`
	s := place(t, map[Layer]string{LayerWorkspace: "profile: " + name})
	c := load(t, s)
	if got := originOf(c, "task_id_pattern").String(); c.TaskIDPattern != pattern || got != "profile "+name {
		t.Errorf("pattern %q from %s", c.TaskIDPattern, got)
	}
	s = place(t, map[Layer]string{LayerSystem: "task_id_pattern: SYS"})
	s.Flags = map[string]string{"profile": name}
	c = load(t, s)
	if got := originOf(c, "task_id_pattern").Layer; c.TaskIDPattern != "SYS" || got != LayerSystem || c.Profile != name {
		t.Errorf("the profile lies above the system's file: %q from the %s", c.TaskIDPattern, got)
	}
	t.Setenv("STAGEHOOK_PROFILE", "../stagehook")
	s.Flags = nil
	_, err := Load(s)
	want := `environment STAGEHOOK_PROFILE: profile: "../stagehook" is none of datarim-2.67`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestBadValuesNameTheirVariableOrFlag(t *testing.T) {
	s := place(t, nil)
	t.Setenv("STAGEHOOK_START_TIMEOUT", "5")
	s.Flags = map[string]string{"stop_timeout": "-1s", "log_level": ""}
	_, err := Load(s)
	want := `environment STAGEHOOK_START_TIMEOUT: start_timeout: must be a duration with its unit, such as 10s, not "5"`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	t.Setenv("STAGEHOOK_START_TIMEOUT", "5s")
	_, err = Load(s)
	want = `flag --stop-timeout: stop_timeout: must be above zero, not -1s; ` +
		`flag --log-level: log_level: "" is none of off error warn info debug trace`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	s.Flags = map[string]string{"plugins": "x"}
	if _, err = Load(s); err == nil || err.Error() != "flag --plugins: sets no key of the configuration" {
		t.Errorf("error %v", err)
	}
}

// The global viper stays untouched, and loads in parallel do not meet.
func TestLoadKeepsNoState(t *testing.T) {
	s := place(t, map[Layer]string{LayerUser: "plugins: {x: {command: [x], settings: {A: {b: [1]}}}}"})
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			mine := s
			mine.Flags = map[string]string{"marker": strings.Repeat("m", i+1)}
			c, err := Load(mine)
			if err != nil || len(c.Marker) != i+1 {
				t.Errorf("load %d: %v, %v", i, c, err)
			}
		})
	}
	group.Wait()
	if keys := viper.AllKeys(); len(keys) > 0 {
		t.Errorf("the global viper has %v", keys)
	}
	if c := load(t, s); len(c.Marker) < 20 {
		t.Errorf("a flag stayed behind: %q", c.Marker)
	}
}

func BenchmarkLoad(b *testing.B) {
	s := Sources{SystemFile: filepath.Join(b.TempDir(), "none")}
	for b.Loop() {
		if _, err := Load(s); err != nil {
			b.Fatal(err)
		}
	}
}
