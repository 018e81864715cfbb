package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
)

// Check reports everything in c that cannot work, as an [Errors]. [Load] has
// called it.
func (c *Config) Check() error {
	k := &check{Config: c}
	k.values()
	for _, name := range slices.Sorted(maps.Keys(c.Plugins)) {
		k.plugin(name)
	}
	for _, event := range slices.Sorted(maps.Keys(c.Events)) {
		k.event(event)
	}
	return k.errs.orNil()
}

// check collects what is wrong with a configuration.
type check struct {
	*Config
	errs Errors
}

// fail notes what is wrong with the value at path. A value without an origin of
// its own, such as a word of a command, has that of the key above it.
func (k *check) fail(path keyPath, format string, args ...any) {
	at := path
	for len(at) > 1 && k.origins[at.id()] == (Origin{}) {
		at = at[:len(at)-1]
	}
	k.errs = append(k.errs, &Error{k.origins[at.id()], path.String(), fmt.Sprintf(format, args...)})
}

// oneOf wants value to be among known.
func (k *check) oneOf(path keyPath, value string, known ...string) {
	if !slices.Contains(known, value) {
		k.fail(path, "%q is none of %s", value, strings.Join(known, " "))
	}
}

// line wants value to be one line of visible text.
func (k *check) line(path keyPath, value string) {
	if value == "" {
		k.fail(path, "must not be empty")
	} else if problem := lineProblem(value); problem != "" {
		k.fail(path, "%s", problem)
	}
}

// values checks the top-level keys that are no maps.
func (k *check) values() {
	pattern := keyPath{"task_id_pattern"}
	k.line(pattern, k.TaskIDPattern)
	if _, err := identity.New(identity.Rules{TaskIDPattern: k.TaskIDPattern}); err != nil {
		k.fail(pattern, "%s", strings.TrimPrefix(err.Error(), "task_id_pattern "))
	}
	for i, stage := range k.Stages {
		if _, err := identity.New(identity.Rules{Stages: []string{stage}}); err != nil {
			k.fail(keyPath{"stages"}.element(i), "%s", err)
		}
	}
	k.line(keyPath{"marker"}, k.Marker)
	// Those of a plugin are from a file, where decoding has refused the others.
	keys := []string{"input_timeout", "start_timeout", "call_timeout", "stop_timeout"}
	for i, timeout := range []time.Duration{k.InputTimeout, k.StartTimeout, k.CallTimeout, k.StopTimeout} {
		if timeout <= 0 {
			k.fail(keyPath{keys[i]}, "must be above zero, not %s", timeout)
		}
	}
	k.oneOf(keyPath{"log_level"}, k.LogLevel, "off", "error", "warn", "info", "debug", "trace")
}

const (
	letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	digits  = "0123456789"
)

// made reports whether value is not empty and made of the characters in set.
func made(value, set string) bool { return value != "" && strings.Trim(value, set) == "" }

func (k *check) plugin(name string) {
	plugin, path := k.Plugins[name], keyPath{"plugins", name}
	if !made(name, letters+digits+"._-") || !made(name[:1], letters+digits) || len(name) > 64 {
		k.fail(path, "a name is 1 to 64 letters, digits, dots, underscores and hyphens, the first a letter or digit")
	}
	switch {
	case plugin.Builtin == "" && plugin.Command == nil:
		k.fail(path, "names no program; set builtin or command")
	case plugin.Builtin != "" && plugin.Command != nil:
		k.fail(path, "has both builtin and command; one of them names the program")
	case plugin.Builtin != "":
		k.oneOf(path.with("builtin"), plugin.Builtin, Builtins()...)
		if plugin.SHA256 != "" {
			k.fail(path.with("sha256"), "is only for a command")
		}
	default:
		k.command(path.with("command"), plugin.Command)
		if plugin.SHA256 != "" && (len(plugin.SHA256) != 64 || !made(plugin.SHA256, digits+"abcdef")) {
			k.fail(path.with("sha256"), "%.80q is not 64 lower-case hex digits", plugin.SHA256)
		}
	}
	for i, variable := range plugin.Env {
		k.variable(path.with("env").element(i), variable)
	}
}

func (k *check) command(path keyPath, command []string) {
	if len(command) == 0 || command[0] == "" {
		k.fail(path, "names no program")
	}
	for i, word := range command {
		if strings.ContainsRune(word, 0) {
			k.fail(path.element(i), "holds a NUL")
		}
	}
}

// variable checks the name of a variable that a plugin gets. Those of the
// protocol would turn the plugin's own use of it against its host.
func (k *check) variable(path keyPath, name string) {
	switch {
	case !made(name, letters+digits+"_") || !made(name[:1], letters+"_"):
		k.fail(path, "%.80q is no name of a variable", name)
	case hook.IsProtocolVariable(name):
		k.fail(path, "%s belongs to the plugin protocol and is never passed on", name)
	}
}

func (k *check) event(event string) {
	path := keyPath{"events", event}
	if !slices.Contains(Events(), event) {
		k.fail(path, "unknown event; known are %s", strings.Join(Events(), " "))
		return
	}
	before := len(k.errs)
	for i, step := range k.Events[event] {
		k.step(event, path.element(i), step)
	}
	if event == EventResume && len(k.errs) == before {
		k.prompt(path)
	}
}

// prompt wants a resume with any steps to be able to end in a prompt: a renderer
// renders what a validator before it has read.
func (k *check) prompt(path keyPath) {
	steps := k.Events[EventResume]
	validator := slices.IndexFunc(steps, func(s Step) bool { return s.Kind == hook.KindValidator })
	renders := func(s Step) bool { return s.Kind == hook.KindRenderer }
	if len(steps) > 0 && (validator < 0 || !slices.ContainsFunc(steps[validator:], renders)) {
		k.fail(path, "needs a validator and, behind it, a renderer")
	}
	// There it would be skipped, for want of a snapshot.
	revalidator := slices.IndexFunc(steps, func(s Step) bool { return s.Kind == hook.KindRevalidator })
	if revalidator >= 0 && revalidator < validator {
		k.fail(path.element(revalidator), "a revalidator stands behind the validator")
	}
}

func (k *check) step(event string, path keyPath, step Step) {
	switch allowed := allowedKinds(event); {
	case !step.Kind.Valid():
		k.fail(path.with("kind"), "%q is no kind of step; %s has %s", step.Kind, event, words(allowed))
	case !slices.Contains(allowed, step.Kind):
		k.fail(path.with("kind"), "%s has no step of kind %s; it has %s", event, step.Kind, words(allowed))
	}
	if _, ok := k.Plugins[step.Plugin]; !ok {
		k.fail(path.with("plugin"), "%q is not among the plugins", step.Plugin)
	}
	switch step.When {
	case WhenAlways:
	case WhenSnapshot, WhenRecordsOrProjection:
		if step.Kind == hook.KindRenderer {
			k.fail(path.with("when"), "is not for a renderer: without one there is no prompt")
		}
	default:
		k.fail(path.with("when"), "%q is none of %s %s", step.When, WhenSnapshot, WhenRecordsOrProjection)
	}
	if len(step.Stages) > 0 && event != EventStageExit {
		k.fail(path.with("stages"), "is only for steps of %s", EventStageExit)
	}
	k.stages(path.with("stages"), step.Stages)
}

// stages wants the stages of a step to be known.
func (k *check) stages(path keyPath, stages []string) {
	if len(stages) == 0 {
		return
	}
	grammar, err := identity.New(identity.Rules{Stages: k.Stages})
	if err != nil {
		return // reported with the key stages
	}
	for i, stage := range stages {
		if err := grammar.Stage(stage); err != nil {
			k.fail(path.element(i), "%s", strings.TrimPrefix(err.Error(), "stage: "))
		}
	}
}

// words joins kinds by blanks.
func words(kinds []hook.Kind) string { return strings.Trim(fmt.Sprint(kinds), "[]") }
