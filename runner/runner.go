package runner

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/stagehook/stagehook/runner/config"
	"github.com/stagehook/stagehook/runner/process"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
)

// Runner fires events. It is safe for concurrent use. Plugin processes are
// started when an event needs them and stay until [Runner.Close].
type Runner struct {
	config  *config.Config
	builtin []string
	log     hclog.Logger
	grammar *identity.Grammar
	pool    process.Pool
}

// Options are what a runner needs beside its configuration.
type Options struct {
	// Builtin is the command that serves the built-in plugin whose name is added
	// to it. Nil means the running program with the argument "plugin", as the
	// stagehook binary understands it.
	Builtin []string
	// Log receives the runner's log and its plugins'; nil discards it.
	Log hclog.Logger
}

// New returns a runner for a configuration. Close it.
func New(cfg *config.Config, opts Options) (*Runner, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	grammar, err := identity.New(identity.Rules{TaskIDPattern: cfg.TaskIDPattern, Stages: cfg.Stages})
	if err != nil {
		return nil, err
	}
	if opts.Builtin == nil {
		executable, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("cannot find the running program: %w", err)
		}
		opts.Builtin = []string{executable, "plugin"}
	}
	if opts.Log == nil {
		opts.Log = hclog.NewNullLogger()
	}
	return &Runner{config: cfg, builtin: opts.Builtin, log: opts.Log, grammar: grammar}, nil
}

// Close ends all plugin processes and returns when they are gone.
func (r *Runner) Close() { r.pool.Close() }

// Grammar is the grammar that the runner's configuration sets.
func (r *Runner) Grammar() *identity.Grammar { return r.grammar }

// rules are what every request carries.
func (r *Runner) rules() hook.Rules {
	return hook.Rules{
		Rules:  identity.Rules{TaskIDPattern: r.config.TaskIDPattern, Stages: r.config.Stages},
		Marker: r.config.Marker,
	}
}

// Command returns how the configured plugin is started. It fails when a
// workspace's file names the program and the user has not trusted that file, and
// when other users can replace a program that a configuration names.
func (r *Runner) Command(plugin string) (process.Command, error) {
	p, ok := r.config.Plugins[plugin]
	if !ok {
		return process.Command{}, &process.Error{Plugin: plugin, What: "is not configured"}
	}
	if err := r.config.Trusted(plugin); err != nil {
		return process.Command{}, err
	}
	argv := p.Command
	if p.Builtin != "" {
		argv = slices.Concat(r.builtin, []string{p.Builtin})
	} else if err := vet(plugin, argv[0]); err != nil {
		return process.Command{}, err
	}
	settings, err := p.SettingsJSON()
	if err != nil {
		return process.Command{}, &process.Error{Plugin: plugin, What: fmt.Sprintf("its settings: %v", err)}
	}
	return process.Command{
		Plugin:       plugin,
		Argv:         argv,
		SHA256:       p.SHA256,
		Environ:      process.Environ(p.Env, r.log.GetLevel()),
		Settings:     settings,
		MTLS:         p.MTLS,
		StartTimeout: min(p.StartTimeout, forever),
		StopTimeout:  min(p.StopTimeout, forever),
		Log:          r.log.Named(plugin),
	}, nil
}

// forever is what longer limits are cut to. Nobody sees the difference, and sums
// of durations stay far from their end.
const forever = 10 * 365 * 24 * time.Hour

// callTimeout is how long a call to the plugin may take.
func (r *Runner) callTimeout(plugin string) time.Duration {
	return min(r.config.Plugins[plugin].CallTimeout, forever)
}
