package main

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stagehook/stagehook/runner/process"
)

func newPlugins(s *session) *cobra.Command {
	return newGroup("plugins", "Show the configured plugins, make a new one, check a program",
		newPluginsList(s), newPluginsDescribe(s), newPluginsInit(s), newPluginsVerify(s))
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
