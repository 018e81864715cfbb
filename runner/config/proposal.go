package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Proposal is what trust in a workspace's file would allow. The file was read
// once: what a proposal shows is what [Proposal.Trust] seals, whatever has become
// of the file since.
type Proposal struct {
	File    string // absolute
	SHA256  string // of its content, in hex
	Trusted bool   // this content is trusted already
	// Grants are what the trust is for, plugins by name.
	Grants []Grant
	// Before are the grants of the content of this file that was trusted last; nil
	// when it is Trusted, when there was none, and when none was kept that is valid.
	Before []Grant
	// Earlier reports whether another content of this file was trusted.
	Earlier bool

	seal seal
	data []byte
}

// Grant is a plugin that a workspace's file has a say in, or what the file says of
// the runner: of its log, and of the revalidators that it displaces.
type Grant struct {
	// Plugin is its name; empty for the runner.
	Plugin string
	Origin Origin
	Facts  []Fact
}

// Fact is one thing that a grant settles, such as the key "env" and the names of
// the variables. Both are one line of visible text.
type Fact struct{ Key, Value string }

// Propose reads a workspace's file and says what it would have run, together with
// the other layers of s, whose Root is that of the file. A file is refused that is
// no valid layer or cannot work with the others; nothing would run then.
func Propose(s Sources, file string) (*Proposal, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	if filepath.Base(path) != "stagehook.yaml" || filepath.Base(filepath.Dir(path)) != "datarim" {
		return nil, fmt.Errorf("%s is no workspace's datarim/stagehook.yaml, and no other file needs trust", ShellWord(path))
	}
	data, err := readWorkspace(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s does not exist", ShellWord(path))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ShellWord(path), err)
	}
	s.Root = filepath.Dir(filepath.Dir(path))
	p := &Proposal{File: path, data: data, seal: newSeal(path, data)}
	p.SHA256, p.Trusted = p.seal.sha, p.seal.trusted()
	if p.Grants, err = s.grants(path, data); err != nil {
		return nil, err
	}
	if !p.Trusted {
		p.lookBack(s)
	}
	return p, nil
}

// lookBack finds what was trusted of this file before.
func (p *Proposal) lookBack(s Sources) {
	records, _ := trustRecords() // what cannot be read cannot be compared
	for _, r := range records {  // the last one comes last
		if r.seal.path != p.seal.path {
			continue
		}
		p.Earlier, p.Before = true, nil
		if data := r.seal.content(); data != nil {
			p.Before, _ = s.grants(p.File, data)
		}
	}
}

// Trust records that the user trusts the file as the proposal shows it.
func (p *Proposal) Trust() error { return p.seal.store(p.data) }

// grants are those of a content of the workspace's file.
func (s Sources) grants(path string, data []byte) ([]Grant, error) {
	c, err := s.load(func(place Path) ([]byte, error) {
		if place.Layer == LayerWorkspace {
			return data, nil
		}
		return place.read()
	})
	if err != nil {
		return nil, err
	}
	grants := []Grant{}
	for _, name := range slices.Sorted(maps.Keys(c.Plugins)) {
		if c.NeedsTrust(name) {
			p := c.Plugins[name]
			grants = append(grants, Grant{Plugin: name, Origin: p.Origin, Facts: c.facts(&p)})
		}
	}
	d, err := decode(Origin{Layer: LayerWorkspace, Path: path}, data)
	if err != nil {
		return nil, err
	}
	runner := Grant{Origin: d.origin(keyPath{"events", EventResume})}
	if key := (keyPath{"log_level"}); d.has(key) {
		runner.Origin = d.origin(key)
		runner.Facts = append(runner.Facts, Fact{"log_level", valueText(d.values.LogLevel)})
	}
	for _, step := range c.displaced {
		runner.Facts = append(runner.Facts, Fact{"does without", "the revalidator " + step.Plugin + ", which a resume would ask"})
	}
	if runner.Facts != nil {
		grants = append(grants, runner)
	}
	return grants, nil
}

// facts says how a plugin would be run, in the order in which a reader asks.
func (c *Config) facts(p *Plugin) []Fact {
	run := commandLine(p.Program())
	if p.Builtin != "" {
		run = strings.TrimSpace("built-in " + p.Builtin + " " + run)
	}
	facts := []Fact{{"run", run}}
	if p.Command != nil {
		pin := "none"
		if p.SHA256 != "" {
			pin = "sha256:" + p.SHA256
		}
		facts = append(facts, Fact{"pin", pin})
	}
	if len(p.Env) > 0 {
		facts = append(facts, Fact{"env", strings.Join(p.Env, " ")})
	}
	v := &view{origins: c.origins}
	v.plugin(keyPath{"plugins", p.Name}, *p)
	shown := []string{"builtin", "command", "sha256", "env"}
	for _, value := range v.values {
		key := value.Path[2:]
		if slices.Contains(shown, key[0]) || p.Builtin == builtinExec && slices.Equal(key, []string{"settings", "command"}) {
			continue
		}
		words := make([]string, len(key))
		for i, word := range key {
			words[i] = keyText(word)
		}
		facts = append(facts, Fact{strings.Join(words, "."), valueText(value.Value)})
	}
	return facts
}

// commandLine is a command as a shell takes it, but for words that would not be
// read as they are: those are JSON strings.
func commandLine(command []string) string {
	words := make([]string, len(command))
	for i, word := range command {
		words[i] = ShellWord(word)
		if lineProblem(word) != "" {
			words[i] = valueText(word)
		}
	}
	return strings.Join(words, " ")
}

// Change is what differs in one grant.
type Change struct {
	Plugin     string // see [Grant]
	Gone, News []Fact
}

// Changes lists what differs between Before and Grants, by plugin. Where a plugin
// is named makes no difference.
func (p *Proposal) Changes() []Change {
	before, now := byPlugin(p.Before), byPlugin(p.Grants)
	both := maps.Clone(before)
	maps.Copy(both, now)
	var changes []Change
	for _, name := range slices.Sorted(maps.Keys(both)) {
		c := Change{name, without(before[name], now[name]), without(now[name], before[name])}
		if c.Gone != nil || c.News != nil {
			changes = append(changes, c)
		}
	}
	return changes
}

func byPlugin(grants []Grant) map[string][]Fact {
	facts := map[string][]Fact{}
	for _, g := range grants {
		facts[g.Plugin] = g.Facts
	}
	return facts
}

// without returns the facts that are not among the others.
func without(facts, others []Fact) []Fact {
	var rest []Fact
	for _, f := range facts {
		if !slices.Contains(others, f) {
			rest = append(rest, f)
		}
	}
	return rest
}
