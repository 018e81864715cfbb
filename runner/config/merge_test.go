package config

import (
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk/hook"
)

func TestNamesAndSettingsKeepTheirCase(t *testing.T) {
	c := load(t, place(t, map[Layer]string{LayerUser: `
plugins:
  My.Plugin: {command: [Prog, -X], settings: {MyKey: 1, mykey: 2, Nested: {A.b: [{Cc: D}]}}, env: [PathToX]}
  my.plugin: {command: [other]}
`}))
	p := c.Plugins["My.Plugin"]
	want := map[string]any{"MyKey": 1, "mykey": 2, "Nested": map[string]any{"A.b": []any{map[string]any{"Cc": "D"}}}}
	if !reflect.DeepEqual(p.Settings, want) || p.Name != "My.Plugin" || p.Command[0] != "Prog" || p.Env[0] != "PathToX" {
		t.Errorf("plugin %+v", p)
	}
	text, err := p.SettingsJSON()
	if wantText := `{"MyKey":1,"Nested":{"A.b":[{"Cc":"D"}]},"mykey":2}`; err != nil || string(text) != wantText {
		t.Errorf("settings %s, %v; want %s", text, err, wantText)
	}
	if other := c.Plugins["my.plugin"]; other.Command[0] != "other" || other.Settings != nil {
		t.Errorf("the names were folded: %+v", other)
	}
}

func TestSettingsWithoutAnyAreAnEmptyObject(t *testing.T) {
	if text, err := new(Plugin).SettingsJSON(); string(text) != "{}" || err != nil {
		t.Errorf("%s, %v", text, err)
	}
}

// Maps merge over all layers, lists and everything else replace.
func TestMergeOfOnePlugin(t *testing.T) {
	s := place(t, map[Layer]string{
		LayerSystem: `
plugins:
  x:
    command: [prog]
    settings: {kept: 1, list: [1, 2], map: {low: a, both: b}, wasMap: {a: 1}, wasWord: w}
    env: [A, B]
    mtls: true
    start_timeout: 1s
`,
		LayerUser: `
plugins:
  x:
    settings:
      list: [3]
      map: {both: c, high: {d: e}}
      wasMap: word
      wasWord: {}
    env: []
    mtls: false
    call_timeout: 2s
`,
	})
	c := load(t, s)
	p := c.Plugins["x"]
	settings := map[string]any{
		"kept": 1, "list": []any{3}, "wasMap": "word", "wasWord": map[string]any{},
		"map": map[string]any{"low": "a", "both": "c", "high": map[string]any{"d": "e"}},
	}
	if !reflect.DeepEqual(p.Settings, settings) {
		t.Errorf("settings %v, want %v", p.Settings, settings)
	}
	if len(p.Env) != 0 || p.MTLS || p.StartTimeout != time.Second || p.CallTimeout != 2*time.Second || p.StopTimeout != c.StopTimeout {
		t.Errorf("plugin %+v", p)
	}
	for _, test := range []struct {
		path  keyPath
		layer Layer
		line  int
	}{
		{keyPath{"command"}, LayerSystem, 4},
		{keyPath{"settings", "kept"}, LayerSystem, 5},
		{keyPath{"settings", "list"}, LayerUser, 5},
		{keyPath{"settings", "map", "low"}, LayerSystem, 5},
		{keyPath{"settings", "map", "both"}, LayerUser, 6},
		{keyPath{"settings", "map", "high", "d"}, LayerUser, 6},
		{keyPath{"settings", "wasMap"}, LayerUser, 7},
		{keyPath{"env"}, LayerUser, 9},
		{keyPath{"mtls"}, LayerUser, 10},
		{keyPath{"start_timeout"}, LayerSystem, 8},
		{keyPath{"call_timeout"}, LayerUser, 11},
	} {
		if got := originOf(c, keyPath{"plugins", "x"}.with(test.path...)...); got.Layer != test.layer || got.Line != test.line {
			t.Errorf("%s is from %+v, want %s:%d", test.path, got, test.layer, test.line)
		}
	}
	if got := originOf(c, "plugins", "x", "settings", "wasMap", "a"); got != (Origin{}) {
		t.Errorf("a setting that is gone has the origin %+v", got)
	}
	if p.Origin != originOf(c, "plugins", "x", "command") {
		t.Errorf("plugin from %s", p.Origin)
	}
}

func TestOriginOfAPluginIsWhereItsProgramIsNamed(t *testing.T) {
	c := load(t, place(t, map[Layer]string{
		LayerSystem: "plugins:\n  x:\n    env: [A]\n    builtin: archiver\n  y:\n    mtls: true\n    command: [y]\n",
		LayerUser:   "plugins:\n  x: {mtls: true}\n  y: {mtls: true}\n",
	}))
	for name, line := range map[string]int{"x": 4, "y": 7} {
		if got := c.Plugins[name].Origin; got.Layer != LayerSystem || got.Line != line {
			t.Errorf("%s is named at %s, want line %d", name, got, line)
		}
	}
}

func TestNamingTheProgramDropsWhatBelongedToAnother(t *testing.T) {
	const low = `
plugins:
  x:
    command: [prog]
    sha256: '0000000000000000000000000000000000000000000000000000000000000000'
    settings: {token: secret}
    env: [TOKEN]
    mtls: true
    start_timeout: 1s
    call_timeout: 1s
    stop_timeout: 1s
  xy: {command: [prog]}
`
	for _, high := range []string{"{command: [other]}", "{builtin: archiver}", "{command: [prog]}"} {
		s := place(t, map[Layer]string{LayerSystem: low, LayerFile: "plugins: {x: " + high + "}"})
		c := load(t, s)
		p := c.Plugins["x"]
		if p.SHA256 != "" || p.Settings != nil || p.Env != nil || p.MTLS || p.StartTimeout != c.StartTimeout ||
			p.CallTimeout != c.CallTimeout || p.StopTimeout != c.StopTimeout || p.Origin.Layer != LayerFile {
			t.Errorf("%s: %+v", high, p)
		}
		if c.origins.has(LayerSystem, keyPath{"plugins", "x"}) {
			t.Errorf("%s: origins of the lower layer are left", high)
		}
		if got := originOf(c, "plugins", "xy", "command"); got.Layer != LayerSystem {
			t.Errorf("%s: the other plugin is from %+v", high, got)
		}
	}
}

func TestListsOfStepsReplace(t *testing.T) {
	c := load(t, place(t, map[Layer]string{
		LayerSystem: "events:\n  archive: []\n  resume:\n    - {kind: observer, plugin: archiver}\n",
		LayerUser:   "events:\n  stage-exit:\n    - {kind: observer, plugin: archiver}\n  resume:\n    - {kind: validator, plugin: snapshot-validator}\n    - {kind: renderer, plugin: replay-renderer}\n",
	}))
	want := []Step{{Kind: hook.KindValidator, Plugin: "snapshot-validator"}, {Kind: hook.KindRenderer, Plugin: "replay-renderer"}}
	if !reflect.DeepEqual(c.Events[EventResume], want) {
		t.Errorf("resume %+v", c.Events[EventResume])
	}
	if steps, ok := c.Events[EventArchive]; !ok || len(steps) != 0 {
		t.Errorf("archive %+v", steps)
	}
	if len(c.Events[EventStageExit]) != 1 {
		t.Errorf("stage-exit %+v", c.Events[EventStageExit])
	}
	if got := originOf(c, "events", "stage-exit", "[1]"); got != (Origin{}) {
		t.Errorf("a step that is gone is from %s", got)
	}
	if got := originOf(c, "events", "resume"); got.Layer != LayerUser || got.Line != 4 {
		t.Errorf("resume from %s", got)
	}
}

func TestProgramsAreRelativeToTheirFile(t *testing.T) {
	s := place(t, map[Layer]string{
		LayerWorkspace: "plugins: {x: {command: [../tools/run, ./arg]}, y: {command: [bare, a/b]}}",
	})
	t.Chdir(filepath.Dir(s.Root))
	s.Root = filepath.Base(s.Root) // the working directory does not matter either
	c := load(t, s)
	root, err := filepath.Abs(s.Root)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.Plugins["x"].Command, []string{filepath.Join(root, "tools", "run"), "./arg"}; !slices.Equal(got, want) {
		t.Errorf("command %q, want %q", got, want)
	}
	if got, want := c.Plugins["y"].Command, []string{"bare", "a/b"}; !slices.Equal(got, want) {
		t.Errorf("command %q, want %q", got, want)
	}
	program := filepath.Join(t.TempDir(), "prog")
	write(t, filepath.Join(root, "datarim", "stagehook.yaml"), "plugins: {x: {command: ['"+program+"']}}")
	if got := load(t, s).Plugins["x"].Command[0]; got != program {
		t.Errorf("command %q, want %q", got, program)
	}
}
