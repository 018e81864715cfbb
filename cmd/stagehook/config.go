package main

import (
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/stagehook/stagehook/configs"
	"github.com/stagehook/stagehook/runner/config"
)

func newConfig(s *session) *cobra.Command {
	return newGroup("config", "Show and check the configuration",
		&cobra.Command{
			Use:   "show",
			Short: "Print the effective configuration and where each value comes from",
			Args:  noArguments,
			RunE:  func(*cobra.Command, []string) error { return s.configShow() },
		},
		&cobra.Command{
			Use:   "check",
			Short: "Check the configuration and print everything that is wrong with it",
			Args:  noArguments,
			RunE:  func(*cobra.Command, []string) error { return s.configCheck() },
		},
		&cobra.Command{
			Use:   "path",
			Short: "Print the files that are read, in order",
			Args:  noArguments,
			RunE:  func(*cobra.Command, []string) error { return s.configPath() },
		},
		&cobra.Command{
			Use:   "schema",
			Short: "Print the JSON Schema of a configuration file",
			Args:  noArguments,
			RunE: func(*cobra.Command, []string) error {
				_, err := s.out.Write(configs.Schema())
				return err
			},
		},
	)
}

func (s *session) configShow() error {
	cfg, err := s.load(s.anyRoot())
	if err != nil {
		return err
	}
	return cfg.WriteYAML(s.out)
}

// invalidConfig is what config check found.
type invalidConfig struct{ problems config.Errors }

func (e *invalidConfig) Error() string { return e.problems.Error() }

// lines are the problems, one each.
func (e *invalidConfig) lines() []string {
	var lines []string
	for _, problem := range e.problems {
		lines = append(lines, problem.Error())
	}
	return lines
}

func (s *session) configCheck() error {
	cfg, err := s.load(s.anyRoot())
	var problems config.Errors
	if errors.As(err, &problems) {
		return &invalidConfig{problems}
	}
	if err != nil {
		return err
	}
	s.warn(cfg.Warnings())
	_, err = fmt.Fprintln(s.out, "the configuration is valid")
	return err
}

func (s *session) configPath() error {
	table := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	for _, path := range config.Paths(s.sources(s.anyRoot())) {
		state := "absent"
		if path.Exists {
			state = "read"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", path.Layer, state, path.Path)
	}
	return table.Flush()
}
