package config

import (
	"errors"
	"strings"
	"testing"
)

// Each text is refused with exactly this error behind "F:".
var refusedTexts = []struct{ name, text, want string }{
	{"unknown key", "log_level: info\nhoks: {}\n", "2: hoks: unknown key; known are profile task_id_pattern stages marker lock_timeout input_timeout start_timeout call_timeout stop_timeout log_level plugins events"},
	{"key in other case", "Log_Level: info", "1: Log_Level: unknown key; known are profile task_id_pattern stages marker lock_timeout input_timeout start_timeout call_timeout stop_timeout log_level plugins events"},
	{"unknown plugin key", "plugins:\n  x:\n    commnd: [x]\n", "3: plugins.x.commnd: unknown key; known are builtin command sha256 settings env mtls start_timeout call_timeout stop_timeout"},
	{"name is no key", "plugins: {x: {name: y}}", "1: plugins.x.name: unknown key; known are builtin command sha256 settings env mtls start_timeout call_timeout stop_timeout"},
	{"unknown step key", "events:\n  resume:\n    - {kind: renderer, plugin: x, if: y}\n", "3: events.resume[0].if: unknown key; known are kind plugin when stages"},
	{"duplicate key", "marker: a\n\nmarker: b\n", "3: marker: stands here a second time, first on line 1"},
	{"duplicate plugin", "plugins:\n  x: {builtin: archiver}\n  x: {builtin: archiver}\n", "3: plugins.x: stands here a second time, first on line 2"},
	{"duplicate setting", "plugins:\n  x:\n    settings:\n      a: 1\n      a: 2\n", "5: plugins.x.settings.a: stands here a second time, first on line 4"},
	{"null", "plugins:\n", "1: plugins: has no value; leave the key out instead"},
	{"null tilde", "stages: [a, ~]", "1: stages[1]: has no value; leave the key out instead"},
	{"null in settings", "plugins: {x: {settings: {a: null}}}", "1: plugins.x.settings.a: has no value; leave the key out instead"},
	{"root is a list", "- a\n", "1: must be a mapping of keys to values, not a list"},
	{"root is a word", "hello\n", `1: must be a mapping of keys to values, not "hello"`},
	{"string is a number", "marker: 12", `1: marker: must be a string; put it in quotes if it looks like something else, not "12"`},
	{"string is a date", "marker: 2024-01-02", `1: marker: must be a string; put it in quotes if it looks like something else, not "2024-01-02"`},
	{"string is a list", "marker:\n  - a\n", "2: marker: must be a string; put it in quotes if it looks like something else, not a list"},
	{"list is a word", "stages: plan", `1: stages: must be a list, not "plan"`},
	{"list holds a bool", "stages: [true]", `1: stages[0]: must be a string; put it in quotes if it looks like something else, not "true"`},
	{"mapping is a list", "plugins:\n  - x\n", "2: plugins: must be a mapping of keys to values, not a list"},
	{"entry is a word", "plugins:\n  x: archiver\n", `2: plugins.x: must be a mapping of keys to values, not "archiver"`},
	{"command is a word", "plugins: {x: {command: ls -l}}", `1: plugins.x.command: must be a list, not "ls -l"`},
	{"duration without unit", "start_timeout: 5", `1: start_timeout: must be a duration above zero with its unit, such as 10s, not "5"`},
	{"duration zero", "plugins:\n  x:\n    stop_timeout: 0s\n", `3: plugins.x.stop_timeout: must be a duration above zero with its unit, such as 10s, not "0s"`},
	{"bool in words", "plugins: {x: {mtls: yes}}", `1: plugins.x.mtls: must be true or false, not "yes"`},
	{"lock_timeout is a bool", "lock_timeout: true", `1: lock_timeout: must be a string; put it in quotes if it looks like something else, not "true"`},
	{"octal setting", "plugins: {x: {settings: {mode: 0644}}}", `1: plugins.x.settings.mode: "0644" is not a plain decimal number; put it in quotes if it is a text`},
	{"grouped setting", "plugins: {x: {settings: {n: 1_000}}}", `1: plugins.x.settings.n: "1_000" is not a plain decimal number; put it in quotes if it is a text`},
	{"infinite setting", "plugins: {x: {settings: {n: [.inf]}}}", `1: plugins.x.settings.n[0]: ".inf" is not a plain decimal number; put it in quotes if it is a text`},
	{"date setting", "plugins: {x: {settings: {d: 2024-01-02}}}", `1: plugins.x.settings.d: "2024-01-02" would be read as a timestamp; put it in quotes`},
	{"number as key", "plugins:\n  1: {builtin: archiver}\n", "2: plugins: has a key that is no plain string; put it in quotes"},
	{"list as key", "? [a]\n: b\n", "1: has a key that is no plain string; put it in quotes"},
	{"panic of the library", "{{},<<}: 1", "1: has a key that is no plain string; put it in quotes"},
	{"anchor at a key", "&a marker: x", "1: has a key that is no plain string; put it in quotes"},
	{"long key", "plugins: {" + strings.Repeat("k", 257) + ": {}}", "1: plugins: has a key of 257 bytes; 1 to 256 are allowed"},
	{"empty key", `plugins: {"": {}}`, "1: plugins: has a key of 0 bytes; 1 to 256 are allowed"},
	{"key with a line break", `plugins: {"a\nb": {}}`, "1: plugins: has a key that holds the refused character U+000A"},
	{"merge key", "plugins:\n  x:\n    <<: {builtin: archiver}\n", "3: plugins.x: has a merge key <<; write the keys out"},
	{"anchor", "marker: &a x\n", "1: marker: has an anchor; aliases are not allowed"},
	{"alias", "marker: &a x\nlog_level: *a\n", "1: marker: has an anchor; aliases are not allowed; F:2: log_level: is an alias; write the value out"},
	{"alias to nowhere", "log_level: info\nmarker: *gone\n", "2: is no valid YAML: unknown anchor 'gone' referenced"},
	{"tag", "marker: !foo x", `1: marker: has the tag "!foo"; tags are not allowed`},
	{"standard tag", "lock_timeout: !!str 5", `1: lock_timeout: has the tag "!!str"; tags are not allowed`},
	{"bare tag", "marker: ! \"x y\"", `1: tags are not allowed`},
	{"second document", "marker: a\n---\nmarker: b\n", "2: a second document begins here"},
	{"text after the end", "marker: a\n...\nmarker: b\n", "3: the document ends before the text does"},
	{"syntax", "marker: a\nlog_level: [b\n", "2: is no valid YAML: did not find expected ',' or ']'"},
	{"stray bracket", "marker: a\n}\n", "2: is no valid YAML: did not find expected key"},
	{"open quote", "marker: a\nlog_level: 'b\n", "2: is no valid YAML: found unexpected end of stream"},
	{"syntax on the first line", "marker: a: b", "1: is no valid YAML: mapping values are not allowed in this context"},
	{"tab", "plugins:\n\tx: {}\n", "2: is no valid YAML: found character that cannot start any token"},
	{"byte order mark", "\ufeffmarker: a\n", "1: begins with a byte order mark"},
	{"UTF-16", "\xff\xfem\x00", "1: holds the byte 0xFF, which is not UTF-8"},
	{"control character", "marker: a\n# \x07\n", "2: holds the refused character U+0007"},
	{"hidden line break", "marker: a\n# see\u2028log_level: debug\n", "2: holds the refused character U+2028"},
	{"carriage return alone", "# see\rlog_level: debug\n", "1: holds the refused character U+000D"},
	{"backward text", "marker: \"\u202e>--\"\n", "1: holds the refused character U+202E"},
	{"builtin and command", "plugins:\n  x:\n    builtin: archiver\n    command: [x]\n", "4: plugins.x: has both builtin and command; one of them names the program"},
	{"empty command", "plugins:\n  x:\n    command: []\n", "3: plugins.x.command: names no program"},
	{"several faults", "marker: 1\nstages: 2\n", `1: marker: must be a string; put it in quotes if it looks like something else, not "1"; F:2: stages: must be a list, not "2"`},
}

func TestStrictDecoding(t *testing.T) {
	for _, test := range refusedTexts {
		t.Run(test.name, func(t *testing.T) {
			_, err := decode(Origin{Layer: LayerUser, Path: "F"}, []byte(test.text))
			if err == nil {
				t.Fatalf("accepted %q", test.text)
			}
			if got, want := err.Error(), "F:"+test.want; got != want {
				t.Errorf("\n got %s\nwant %s", got, want)
			}
			var single *Error
			if !errors.As(err, &single) || single.Origin.Line == 0 {
				t.Errorf("no Error with a line: %#v", err)
			}
		})
	}
}

func TestDeepNestingIsRefused(t *testing.T) {
	for _, text := range []string{
		"plugins: {x: {settings: {a: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "}}}",
		"plugins: {x: {settings: " + strings.Repeat("{a: ", 5000) + "1" + strings.Repeat("}", 5000) + "}}",
	} {
		_, err := decode(Origin{Path: "F"}, []byte(text))
		if err == nil || !strings.HasSuffix(err.Error(), "is nested too deeply") {
			t.Errorf("error %.200v", err)
		}
	}
}

func TestFaultsOfAFileAreBounded(t *testing.T) {
	_, err := decode(Origin{Path: "F"}, []byte(strings.Repeat("? \n", 1000)))
	var all Errors
	if !errors.As(err, &all) || len(all) != maxErrors {
		t.Errorf("%d errors", len(all))
	}
}

func TestAcceptedTexts(t *testing.T) {
	for _, text := range []string{
		"", "\n", "# only a comment\n", "---\n", "---\n# nothing\n", "{}", "marker: a\n...\n",
		"marker: a\r\nlog_level: info\r\n", "log_level: off\n", "lock_timeout: 0x10\n",
		"marker: ответ → см. журнал\n", "plugins: {}\n", "plugins: {x: {}}\n", "stages: []\n",
		"plugins: {x: {settings: {on: yes, n: -1.5e3, b: true, s: '0644', l: [], m: {}}}}\n",
	} {
		if _, err := decode(Origin{Path: "F"}, []byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, test := range refusedTexts {
		f.Add([]byte(test.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > MaxFileBytes {
			return
		}
		d, err := decode(Origin{Path: "F"}, data)
		if (d == nil) != (err != nil) {
			t.Fatalf("document %v, error %v", d, err)
		}
		if err != nil && strings.ContainsRune(err.Error(), '\n') {
			t.Fatalf("more than one line: %s", err)
		}
		if err == nil {
			for name, plugin := range d.values.Plugins {
				if _, err := plugin.SettingsJSON(); err != nil {
					t.Fatalf("settings of %s: %v", name, err)
				}
			}
		}
	})
}
