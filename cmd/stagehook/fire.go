package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/hashicorp/go-hclog"

	"github.com/stagehook/stagehook/runner"
	"github.com/stagehook/stagehook/runner/config"
	"github.com/stagehook/stagehook/sdk/workspace"
)

// resultError carries an outcome that is neither done nor failed, such as a
// missing snapshot or a refused route, to the one place that knows exit codes.
type resultError struct{ outcome *runner.Outcome }

func (e *resultError) Error() string { return string(e.outcome.Result) }

// load reads the configuration for a workspace; an empty root means none, and
// then its layer is absent.
func (s *session) load(root string) (*config.Config, error) {
	return config.Load(s.sources(root))
}

func (s *session) sources(root string) config.Sources {
	flags := map[string]string{}
	for key, value := range map[string]string{"profile": s.profile, "log_level": s.logLevel} {
		if value != "" {
			flags[key] = value
		}
	}
	return config.Sources{Root: root, File: s.configFile, Flags: flags}
}

// anyRoot is the workspace's root, empty outside a workspace: for commands that
// need none.
func (s *session) anyRoot() string {
	root, err := s.workspaceRoot()
	if err != nil {
		return ""
	}
	return root
}

// workspaceRoot is --root, or the workspace that the current folder lies in.
func (s *session) workspaceRoot() (string, error) {
	if s.root != "" {
		return filepath.Abs(s.root)
	}
	dir, err := os.Getwd()
	if err != nil { // it was removed
		return "", workspace.ErrNotInside
	}
	return workspace.Find(dir)
}

// opened is a workspace and what is needed to fire an event in it.
type opened struct {
	root   string
	config *config.Config
	runner *runner.Runner
}

// open finds the workspace and makes a runner for it. What check refuses is
// reported first, whether there is a workspace or not: only the configuration is
// read before it, which has a say in the grammar.
func (s *session) open(check func(*runner.Runner) error) (*opened, error) {
	root, rootErr := s.workspaceRoot()
	cfg, r, err := s.configured(root)
	if err != nil {
		return nil, err
	}
	if err := check(r); err != nil {
		return nil, err
	}
	if rootErr != nil {
		return nil, rootErr
	}
	return &opened{root: root, config: cfg, runner: r}, nil
}

// openFor opens the workspace for an event, whose values are checked, and tells
// the event the root.
func (s *session) openFor(event *runner.Event) (*opened, error) {
	ws, err := s.open(func(r *runner.Runner) error { return r.Check(*event) })
	if err == nil {
		event.Root = ws.root
	}
	return ws, err
}

// usable says why a folder cannot be the root of a workspace, nil when it can.
func usable(root string) error {
	ws, err := workspace.Open(root)
	if err != nil {
		return err
	}
	return ws.Close()
}

// configured returns the configuration for a workspace and a runner for it.
func (s *session) configured(root string) (*config.Config, *runner.Runner, error) {
	cfg, err := s.load(root)
	if err != nil {
		return nil, nil, err
	}
	r, err := runner.New(cfg, runner.Options{Log: s.logger(cfg.LogLevel)})
	return cfg, r, err
}

func (s *session) logger(level string) hclog.Logger {
	return hclog.New(&hclog.LoggerOptions{
		Name:   "stagehook",
		Level:  hclog.LevelFromString(level),
		Output: s.err,
	})
}

// fire runs one event from the start of its plugins to their end.
func (s *session) fire(ctx context.Context, r *runner.Runner, event runner.Event) (*runner.Outcome, error) {
	outcome, err := r.Fire(ctx, event)
	r.Close()
	switch {
	case err != nil:
		return outcome, err
	case outcome.Result == runner.Done, outcome.Result == runner.Nothing:
		return outcome, nil
	default:
		return outcome, &resultError{outcome}
	}
}

// isResult reports whether err is a result and which.
func isResult(err error) (*runner.Outcome, bool) {
	var result *resultError
	if errors.As(err, &result) {
		return result.outcome, true
	}
	return nil, false
}
