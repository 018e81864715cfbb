package config

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestCheck(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"pattern", "task_id_pattern: 'A('", "1: task_id_pattern: \"A(\": error parsing regexp: missing closing ): `A(`"},
		{"stage", "stages:\n  - fine\n  - Not Fine\n", `1: stages[1]: stage "Not Fine": must be lower-case letters, digits and hyphens, at most 32`},
		{"empty marker", "marker: ''", "1: marker: must not be empty"},
		{"marker of two lines", "marker: \"a\\nb\"", "1: marker: holds the refused character U+000A"},
		{"log level", "log_level: loud", `1: log_level: "loud" is none of off error warn info debug trace`},
		{"plugin name", "plugins:\n  a b: {builtin: archiver}", "2: plugins.a b: a name is 1 to 64 letters, digits, dots, underscores and hyphens, the first a letter or digit"},
		{"plugin name begins with a dot", "plugins: {.x: {builtin: archiver}}", "1: plugins..x: a name is 1 to 64 letters, digits, dots, underscores and hyphens, the first a letter or digit"},
		{"long plugin name", "plugins: {" + strings.Repeat("x", 65) + ": {builtin: archiver}}", "1: plugins." + strings.Repeat("x", 65) + ": a name is 1 to 64 letters, digits, dots, underscores and hyphens, the first a letter or digit"},
		{"no program", "plugins:\n  x: {settings: {a: 1}}", "2: plugins.x: names no program; set builtin or command"},
		{"empty builtin", "plugins:\n  x: {builtin: ''}", "2: plugins.x: names no program; set builtin or command"},
		{"unknown builtin", "plugins:\n  x:\n    builtin: nope\n", `3: plugins.x.builtin: "nope" is none of snapshot-writer snapshot-validator product-decision-route replay-renderer archiver exec`},
		{"NUL in command", "plugins:\n  x:\n    command: [a, \"b\\0\"]\n", "3: plugins.x.command[1]: holds a NUL"},
		{"pin of a builtin", "plugins: {archiver: {sha256: '" + strings.Repeat("0", 64) + "'}}", "1: plugins.archiver.sha256: is only for a command"},
		{"pin of bad form", "plugins: {x: {command: [x], sha256: abc}}", `1: plugins.x.sha256: "abc" is not 64 lower-case hex digits`},
		{"variable", "plugins: {x: {command: [x], env: [A, B=1]}}", `1: plugins.x.env[1]: "B=1" is no name of a variable`},
		{"variable of the protocol", "plugins: {x: {command: [x], env: [PLUGIN_CLIENT_CERT]}}", "1: plugins.x.env[0]: PLUGIN_CLIENT_CERT belongs to the plugin protocol and is never passed on"},
		{"event", "events:\n  stage-enter: []\n", "2: events.stage-enter: unknown event; known are stage-exit resume archive"},
		{"kind", "events:\n  resume:\n    - {kind: reader, plugin: archiver}\n", `3: events.resume[0].kind: "reader" is no kind of step; resume has validator revalidator renderer observer`},
		{"no kind", "events:\n  resume:\n    - {plugin: archiver}\n", `3: events.resume[0].kind: "" is no kind of step; resume has validator revalidator renderer observer`},
		{"no renderer", "events:\n  resume:\n    - {kind: validator, plugin: archiver}\n", "2: events.resume: needs a validator and, behind it, a renderer"},
		{"revalidator first", "events:\n  resume:\n    - {kind: revalidator, plugin: archiver}\n    - {kind: validator, plugin: archiver}\n    - {kind: renderer, plugin: archiver}\n", "3: events.resume[0]: a revalidator stands behind the validator"},
		{"no validator before it", "events:\n  resume:\n    - {kind: renderer, plugin: archiver}\n    - {kind: validator, plugin: archiver}\n", "2: events.resume: needs a validator and, behind it, a renderer"},
		{"kind of another event", "events:\n  archive:\n    - {kind: observer, plugin: archiver}\n    - {kind: writer, plugin: archiver}\n", "4: events.archive[1].kind: archive has no step of kind writer; it has archiver observer"},
		{"unknown plugin", "events:\n  resume:\n    - {kind: renderer, plugin: Archiver}\n", `3: events.resume[0].plugin: "Archiver" is not among the plugins`},
		{"no plugin", "events:\n  resume:\n    - {kind: renderer}\n", `3: events.resume[0].plugin: "" is not among the plugins`},
		{"condition", "events:\n  resume:\n    - {kind: renderer, plugin: archiver, when: never}\n", `3: events.resume[0].when: "never" is none of snapshot records-or-projection`},
		{"condition of a renderer", "events:\n  resume:\n    - {kind: renderer, plugin: archiver, when: snapshot}\n", "3: events.resume[0].when: is not for a renderer: without one there is no prompt"},
		{"stages elsewhere", "events:\n  resume:\n    - {kind: renderer, plugin: archiver, stages: [plan]}\n", "3: events.resume[0].stages: is only for steps of stage-exit"},
		{"unknown stage", "stages: [mine]\nevents:\n  stage-exit:\n    - {kind: observer, plugin: archiver, stages: [mine, other]}\n", `4: events.stage-exit[0].stages[1]: "other" is none of init prd plan design do qa verify compliance archive edit publish write dream doctor optimize auto mine`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := place(t, map[Layer]string{LayerFile: test.text})
			c, err := Load(s)
			if err == nil {
				t.Fatalf("accepted: %+v", c)
			}
			if want := s.File + ":" + test.want; err.Error() != want {
				t.Errorf("\n got %s\nwant %s", err, want)
			}
			var single *Error
			if !errors.As(err, &single) || single.Origin.Layer != LayerFile {
				t.Errorf("not an Error of the file: %#v", err)
			}
		})
	}
}

// A program may make a configuration of its own; Check must hold without any
// origin.
func TestCheckWithoutOrigins(t *testing.T) {
	c := Config{
		TaskIDPattern: "X", Marker: "m", LogLevel: "off",
		InputTimeout: time.Second, StartTimeout: time.Second, CallTimeout: time.Second, StopTimeout: time.Second,
		Plugins: map[string]Plugin{"x": {Name: "x", Command: []string{"x"}}},
	}
	if err := c.Check(); err != nil {
		t.Error(err)
	}
	c.StopTimeout = 0
	c.Plugins["x"] = Plugin{Builtin: "archiver", Command: []string{}}
	c.Plugins["y"] = Plugin{Command: []string{}}
	c.InputTimeout = 0
	want := "input_timeout: must be above zero, not 0s; " +
		"stop_timeout: must be above zero, not 0s; " +
		"plugins.x: has both builtin and command; one of them names the program; " +
		"plugins.y.command: names no program"
	if err := c.Check(); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
