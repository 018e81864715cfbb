package config

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/stagehook/stagehook/configs"
)

func TestShowNamesTheOriginOfEveryValue(t *testing.T) {
	s := place(t, map[Layer]string{
		LayerSystem: "log_level: debug\nplugins:\n  x:\n    command: [prog, 'a b']\n    settings: {Key: 1.5, map: {}}\n",
		LayerFile:   "profile: datarim-2.67\nplugins:\n  x: {settings: {Key2: [true]}, env: [A], mtls: true}\n",
	})
	t.Setenv("DR_SNAPSHOT_LOCK_TIMEOUT", "5")
	s.Flags = map[string]string{"marker": "<!-- m -->"}
	c := load(t, s)
	want := `profile: "datarim-2.67" # FILE:1
task_id_pattern: "^[A-Z]{2,10}-[0-9]{4}(-[A-Za-z0-9]+)*$" # profile datarim-2.67
stages: [] # default
marker: "<!-- m -->" # flag --marker
lock_timeout: "5" # environment DR_SNAPSHOT_LOCK_TIMEOUT
input_timeout: "30s" # default
start_timeout: "10s" # default
call_timeout: "30s" # default
stop_timeout: "2s" # default
log_level: "debug" # SYSTEM:1
plugins:
  archiver:
    builtin: "archiver" # default
  product-decision-route:
    builtin: "product-decision-route" # default
  replay-renderer:
    builtin: "replay-renderer" # default
  snapshot-validator:
    builtin: "snapshot-validator" # default
  snapshot-writer:
    builtin: "snapshot-writer" # default
  x:
    command: ["prog","a b"] # SYSTEM:4
    settings:
      Key: 1.5 # SYSTEM:5
      Key2: [true] # FILE:3
      map: {} # SYSTEM:5
    env: ["A"] # FILE:3
    mtls: true # FILE:3
events:
  stage-exit: # default
    - {"kind":"writer","plugin":"snapshot-writer"}
    - {"kind":"validator","plugin":"snapshot-validator"}
    - {"kind":"archiver","plugin":"archiver","stages":["archive"]}
  resume: # default
    - {"kind":"validator","plugin":"snapshot-validator","when":"snapshot"}
    - {"kind":"revalidator","plugin":"product-decision-route","when":"records-or-projection"}
    - {"kind":"renderer","plugin":"replay-renderer"}
  archive: # default
    - {"kind":"archiver","plugin":"archiver","when":"snapshot"}
`
	want = strings.NewReplacer("FILE", s.File, "SYSTEM", s.SystemFile).Replace(want)
	var got bytes.Buffer
	if err := c.WriteYAML(&got); err != nil {
		t.Fatal(err)
	}
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// What is shown can be loaded and is the same configuration.
func TestShownConfigurationLoadsBack(t *testing.T) {
	awkward := `
task_id_pattern: 'A|"#\\''>é'
marker: '<!-- # "x" ''y'' \ 	-->'
lock_timeout: 0x10
stages: [on, "true"]
plugins:
  "null": {command: ["a: b", "# c", "\u2028\u0085\x7f\ufeff\u202e", "", "\U0001F600", "\U000E0001", "{{ x }}", "*a", "line\nbreak\r\n", "\t"], env: []}
  "12":
    builtin: archiver
    settings: {"yes": "yes", "a b": {"#": [], "c: d": [1, -1.5e+300, 12345678901234567890, false, {e: [[]]}]}, "ключ": "0123", "no": 0}
    start_timeout: 90s
events:
  archive: []
  resume:
    - {kind: validator, plugin: snapshot-validator}
    - {kind: renderer, plugin: "null", stages: []}
`
	first := load(t, place(t, map[Layer]string{LayerSystem: strings.ReplaceAll(awkward, " \t-->", "-->")}))
	var shown bytes.Buffer
	if err := first.WriteYAML(&shown); err != nil {
		t.Fatal(err)
	}
	second, err := Load(place(t, map[Layer]string{LayerSystem: shown.String()}))
	if err != nil {
		t.Fatalf("%v in\n%s", err, shown.String())
	}
	for _, c := range []*Config{first, second} {
		c.origins = nil
		for name, p := range c.Plugins {
			// An explicit timeout and an inherited one are shown alike.
			p.Origin = Origin{}
			c.Plugins[name] = p
		}
	}
	second.Events[EventResume][1].Stages = first.Events[EventResume][1].Stages // [] and absent mean the same
	if !reflect.DeepEqual(first, second) {
		t.Errorf("\n got %+v\nwant %+v\nshown\n%s", second, first, shown.String())
	}
}

// A path cannot break out of the comment that it stands in.
func TestOriginStaysOnItsLine(t *testing.T) {
	origin := Origin{Layer: LayerFile, Path: "/a\nlog_level: debug", Line: 3}
	if got, want := origin.String(), `"/a\nlog_level: debug":3`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestShippedDefaultsSetEveryKey(t *testing.T) {
	d, err := decode(Origin{Layer: LayerDefault}, configs.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range append(scalarKeys(), "stages", "plugins", "events") {
		if !d.has(keyPath{key}) {
			t.Errorf("%s is not set", key)
		}
	}
	for _, event := range Events() {
		if !d.has(keyPath{"events", event}) {
			t.Errorf("events.%s is not set", event)
		}
	}
}
