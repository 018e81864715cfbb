package config

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/stagehook/stagehook/sdk/hook"
)

// Config is the effective configuration. [Load] makes one; it does not change
// afterwards, so it is safe for concurrent use. The yaml tags are the keys of a
// file, which is a Config with some of the keys.
type Config struct {
	// Profile is the shipped profile in force, empty for none.
	Profile string `yaml:"profile"`
	// TaskIDPattern and Stages are the configured part of the grammar, see
	// identity.Rules.
	TaskIDPattern string   `yaml:"task_id_pattern"`
	Stages        []string `yaml:"stages"`
	// Marker is the last line of a truncated snapshot.
	Marker string `yaml:"marker"`
	// LockTimeout is in seconds, a decimal number. It is kept as it was written
	// and not checked: a bad one is an argument error of the event that needs a
	// lock, and of no other.
	LockTimeout string `yaml:"lock_timeout"`
	// InputTimeout is the time for reading what a command is given, the body and
	// the options of an answer together.
	InputTimeout time.Duration `yaml:"input_timeout"`
	// StartTimeout is the time from the start of a plugin's process until it
	// answered its first call.
	StartTimeout time.Duration `yaml:"start_timeout"`
	// CallTimeout is the time for one call, on top of LockTimeout for the kinds
	// that take the lock.
	CallTimeout time.Duration `yaml:"call_timeout"`
	// StopTimeout is the time from asking a plugin to end until its process
	// group is killed.
	StopTimeout time.Duration `yaml:"stop_timeout"`
	// LogLevel is off, error, warn, info, debug or trace.
	LogLevel string `yaml:"log_level"`
	// Plugins by name.
	Plugins map[string]Plugin `yaml:"plugins"`
	// Events holds the steps of each event, in order.
	Events map[string][]Step `yaml:"events"`

	origins   origins
	workspace seal   // the workspace's file, as it was loaded
	displaced []Step // see Displaced; trusted or not
}

// Plugin says which program serves as a plugin and how it is run. Exactly one of
// Builtin and Command is set.
type Plugin struct {
	// Name is the key of the entry.
	Name string `yaml:"-"`
	// Builtin is the name of a built-in plugin, one of [Builtins].
	Builtin string `yaml:"builtin"`
	// Command is a program and its arguments. The program is an absolute path
	// or a bare name, to be looked up in PATH.
	Command []string `yaml:"command"`
	// SHA256 is what the bytes that are executed must have as their hash, 64 hex
	// digits; empty when any will do.
	SHA256 string `yaml:"sha256"`
	// Settings are for the plugin to understand.
	Settings map[string]any `yaml:"settings"`
	// Env names the variables that are passed on to the process besides those
	// that every plugin gets.
	Env []string `yaml:"env"`
	// MTLS asks for mutual TLS on the plugin's connection.
	MTLS bool `yaml:"mtls"`
	// The timeouts in force for this plugin: its own, else those of the Config.
	StartTimeout time.Duration `yaml:"start_timeout"`
	CallTimeout  time.Duration `yaml:"call_timeout"`
	StopTimeout  time.Duration `yaml:"stop_timeout"`
	// Origin is where the program is named.
	Origin Origin `yaml:"-"`
}

// SettingsJSON returns the settings as a JSON object.
func (p *Plugin) SettingsJSON() ([]byte, error) {
	if p.Settings == nil {
		return []byte("{}"), nil
	}
	return json.Marshal(p.Settings)
}

// Program returns the words of the program that the configuration names: the
// plugin's command, or what the built-in exec is to run. It is nil for the other
// built-ins.
func (p *Plugin) Program() []string {
	if p.Builtin != builtinExec {
		return p.Command
	}
	program := []string{}
	words, _ := p.Settings["command"].([]any) // whether it is one is for the plugin to say
	for _, word := range words {
		program = append(program, fmt.Sprint(word))
	}
	return program
}

// Step is one step of an event.
type Step struct {
	// Kind is what the plugin is asked to do.
	Kind hook.Kind `yaml:"kind" json:"kind"`
	// Plugin is the name of an entry in Config.Plugins.
	Plugin string `yaml:"plugin" json:"plugin"`
	// When is the condition of the step.
	When Condition `yaml:"when" json:"when,omitempty"`
	// Stages limits the step to these stages; empty means all of them. Only
	// steps of [EventStageExit] have it.
	Stages []string `yaml:"stages" json:"stages,omitempty"`
}

// Condition says when a step runs.
type Condition string

// The conditions.
const (
	WhenAlways              Condition = ""
	WhenSnapshot            Condition = "snapshot"              // the task has a snapshot
	WhenRecordsOrProjection Condition = "records-or-projection" // the task has records, or its snapshot a research projection
)

// The events.
const (
	EventStageExit = "stage-exit"
	EventResume    = "resume"
	EventArchive   = "archive"
)

// Events lists the events in the order of a task's life.
func Events() []string { return []string{EventStageExit, EventResume, EventArchive} }

// builtinExec is the built-in plugin that runs the program which its settings
// name.
const builtinExec = "exec"

// Builtins lists the names of the built-in plugins. Another one that runs a
// program by its settings would have to be trusted like a command, as
// [Plugin.Program] makes it for exec.
func Builtins() []string {
	return []string{"snapshot-writer", "snapshot-validator", "product-decision-route", "replay-renderer", "archiver", builtinExec}
}

// allowedKinds lists the kinds of step that an event may have.
func allowedKinds(event string) []hook.Kind {
	switch event {
	case EventStageExit:
		return []hook.Kind{hook.KindWriter, hook.KindValidator, hook.KindArchiver, hook.KindObserver}
	case EventResume:
		return []hook.Kind{hook.KindValidator, hook.KindRevalidator, hook.KindRenderer, hook.KindObserver}
	case EventArchive:
		return []hook.Kind{hook.KindArchiver, hook.KindObserver}
	}
	return nil
}
