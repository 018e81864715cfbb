package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/stagehook/stagehook/runner"
	"github.com/stagehook/stagehook/runner/config"
	"github.com/stagehook/stagehook/runner/process"
	"github.com/stagehook/stagehook/sdk/hook"
)

func newPlugins(s *session) *cobra.Command {
	return newGroup("plugins", "Show the configured plugins, make a new one, check a program",
		newPluginsList(s), newPluginsDescribe(s), newPluginsInit(s), newPluginsVerify(s))
}

func newPluginsList(s *session) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the configured plugins",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return s.pluginsList(cmd.Context(), asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the list as JSON")
	return cmd
}

type pluginJSON struct {
	Name    string      `json:"name"`
	Kinds   []hook.Kind `json:"kinds"`
	Version string      `json:"version"`
	Program string      `json:"program"`
	Origin  string      `json:"origin"`
	Problem string      `json:"problem,omitempty"`
}

func (s *session) pluginsList(ctx context.Context, asJSON bool) error {
	cfg, r, err := s.configured(s.anyRoot())
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(cfg.Plugins))
	list := make([]pluginJSON, len(names))
	var asking sync.WaitGroup
	for i, name := range names {
		asking.Go(func() { list[i] = look(ctx, r, cfg.Plugins[name]) })
	}
	asking.Wait()
	if asJSON {
		return s.printJSON(list)
	}
	table := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tKIND\tVERSION\tPROGRAM\tORIGIN")
	for _, p := range list {
		kinds := oneLine(s.out, strings.Trim(fmt.Sprint(p.Kinds), "[]"))
		if p.Problem != "" {
			kinds = "?"
			p.Version = "?"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", p.Name, kinds, oneLine(s.out, p.Version), oneLine(s.out, p.Program), oneLine(s.out, p.Origin))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, p := range list {
		if p.Problem != "" {
			s.warn([]string{p.Problem})
		}
	}
	return nil
}

// look asks a plugin what it is.
func look(ctx context.Context, r *runner.Runner, plugin config.Plugin) pluginJSON {
	p := pluginJSON{Name: plugin.Name, Program: "built-in " + plugin.Builtin, Origin: plugin.Origin.String()}
	if program := plugin.Program(); program != nil {
		p.Program = strings.Join(program, " ")
		if plugin.Builtin != "" {
			p.Program = plugin.Builtin + " " + p.Program
		}
	}
	command, err := r.Command(plugin.Name)
	if err == nil {
		var description *hook.Description
		if description, err = process.Describe(ctx, command); err == nil {
			p.Kinds, p.Version = description.Kinds, description.Version
		}
	}
	var untrusted *config.UntrustedError
	switch {
	case errors.As(err, &untrusted):
		p.Problem = untrusted.Error() + "; " + untrusted.Hint()
	case err != nil:
		p.Problem = err.Error()
	}
	return p
}

func newPluginsDescribe(s *session) *cobra.Command {
	return &cobra.Command{
		Use:   "describe NAME",
		Short: "Print what a plugin says of itself, with its settings",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("describe takes the name of one plugin")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return s.pluginsDescribe(cmd.Context(), args[0]) },
	}
}

func (s *session) pluginsDescribe(ctx context.Context, name string) error {
	cfg, r, err := s.configured(s.anyRoot())
	if err != nil {
		return err
	}
	if _, ok := cfg.Plugins[name]; !ok {
		return usagef("no plugin named %q; there are %s", name, strings.Join(slices.Sorted(maps.Keys(cfg.Plugins)), ", "))
	}
	command, err := r.Command(name)
	if err != nil {
		return err
	}
	description, err := process.Describe(ctx, command)
	if err != nil {
		return err
	}
	return writeJSON(s.out, description, "  ")
}
