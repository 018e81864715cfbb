package identity

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync/atomic"
)

// DefaultTaskIDPattern is the pattern of task IDs when the configuration names
// no other.
const DefaultTaskIDPattern = `^[A-Z][A-Z0-9-]+-[0-9]{4,5}$`

// MaxTaskIDBytes bounds a task ID. The longest name made of one,
// ".tmp.{ID}.{token}", stays far below the 255 bytes that file systems allow.
const MaxTaskIDBytes = 128

// builtinStages are the stages that exist without any setting.
var builtinStages = []string{
	"init", "prd", "plan", "design", "do", "qa", "verify", "compliance",
	"archive", "edit", "publish", "write", "dream", "doctor", "optimize", "auto",
}

// The characters of names. A task ID becomes part of file names, so whatever the
// configured pattern says it holds no separator, no dot and nothing but ASCII.
const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"

	taskIDCharacters  = upper + lower + digits + "_-"
	stageCharacters   = lower + digits + "-"
	commandCharacters = lower + digits + "-"
)

const maxStageBytes = 32

// consistsOf reports whether text is not empty and holds only characters of set,
// which are ASCII.
func consistsOf(text, set string) bool { return text != "" && strings.Trim(text, set) == "" }

// Rules are the configured part of the grammar. They travel with every request,
// so that readers and writers agree.
type Rules struct {
	// TaskIDPattern is a regular expression (RE2) that a whole task ID must
	// match; anchors are added. Empty means [DefaultTaskIDPattern].
	TaskIDPattern string
	// Stages are stage names beyond the built-in ones.
	Stages []string
}

// Grammar checks names against [Rules]. Make one with [New]; it is safe for
// concurrent use.
type Grammar struct {
	taskID func(id string) bool // whether the whole ID matches the pattern
	shown  string
	stages []string
}

// New compiles the rules. It fails when the pattern is no regular expression or
// a stage has a form that a snapshot cannot hold.
func New(rules Rules) (*Grammar, error) {
	pattern := rules.TaskIDPattern
	if pattern == "" {
		pattern = DefaultTaskIDPattern
	}
	matches := matchesDefault
	if pattern != DefaultTaskIDPattern {
		anchored, err := compile(pattern)
		if err != nil {
			return nil, fmt.Errorf("task_id_pattern %q: %w", pattern, err)
		}
		matches = anchored.MatchString
	}
	for _, stage := range rules.Stages {
		if !consistsOf(stage, stageCharacters) || !strings.Contains(lower, stage[:1]) || len(stage) > maxStageBytes {
			return nil, fmt.Errorf("stage %q: must be lower-case letters, digits and hyphens, at most %d", stage, maxStageBytes)
		}
	}
	return &Grammar{
		taskID: matches,
		shown:  pattern,
		stages: slices.Concat(builtinStages, rules.Stages),
	}, nil
}

// matchesDefault is [DefaultTaskIDPattern] by hand. Nearly every process of every
// hook needs it once, and compiling the pattern would take a hundred times as
// long as this.
func matchesDefault(id string) bool {
	dash := strings.LastIndexByte(id, '-')
	if dash < 2 || strings.IndexByte(upper, id[0]) < 0 {
		return false
	}
	number := id[dash+1:]
	return consistsOf(id[1:dash], upper+digits+"-") &&
		(len(number) == 4 || len(number) == 5) && consistsOf(number, digits)
}

// compiled is a pattern and what it was compiled to.
type compiled struct {
	pattern  string
	anchored *regexp.Regexp
}

// last is the pattern compiled last. A process meets the same one in its
// configuration, its requests and its answers, and compiling is the dearest part
// of a check.
var last atomic.Pointer[compiled]

func compile(pattern string) (*regexp.Regexp, error) {
	if c := last.Load(); c != nil && c.pattern == pattern {
		return c.anchored, nil
	}
	// Parsed by itself first: a pattern with an unbalanced parenthesis could get
	// out of the group that follows.
	if _, err := syntax.Parse(pattern, syntax.Perl); err != nil {
		return nil, err
	}
	// \A and \z, since $ could be made to let a trailing newline through by a
	// flag inside the pattern; the group keeps an alternation inside them.
	anchored, err := regexp.Compile(`\A(?:` + pattern + `)\z`)
	if err != nil {
		return nil, err
	}
	last.Store(&compiled{pattern, anchored})
	return anchored, nil
}

// InTaskID reports whether a task ID may hold r, whatever the pattern.
func InTaskID(r rune) bool { return strings.ContainsRune(taskIDCharacters, r) }

// TaskID reports whether id names a task, as a [*ValueError] when it does not.
func (g *Grammar) TaskID(id string) error {
	if err := Line("task_id", id); err != nil {
		return err
	}
	if len(id) > MaxTaskIDBytes {
		return &ValueError{Field: "task_id", Detail: fmt.Sprintf("is %d bytes long; at most %d", len(id), MaxTaskIDBytes)}
	}
	if !consistsOf(id, taskIDCharacters) || id[0] == '-' || !g.taskID(id) {
		return &ValueError{Field: "task_id", Detail: fmt.Sprintf("%q does not match %s", id, g.shown)}
	}
	return nil
}

// Stage reports whether stage is one of the known stages, as a [*ValueError]
// when it is not.
func (g *Grammar) Stage(stage string) error {
	if slices.Contains(g.stages, stage) {
		return nil
	}
	if err := Line("stage", stage); err != nil {
		return err
	}
	return &ValueError{Field: "stage", Detail: fmt.Sprintf("%q is none of %s", stage, strings.Join(g.stages, " "))}
}
