package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stagehook/stagehook/runner/process"
	"github.com/stagehook/stagehook/sdk/conformance"
)

func newPluginsVerify(s *session) *cobra.Command {
	var (
		settings string
		asJSON   bool
	)
	cmd := &cobra.Command{
		Use:   "verify PATH [ARGUMENT...]",
		Short: "Check a plugin's program against the rules of plugins",
		Long: "Verify starts the program some twenty times, in temporary workspaces, and checks\n" +
			"what every plugin has to do. The configuration is not asked. Flags go before PATH.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("verify takes a plugin's program and its arguments")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			plugin := conformance.Plugin{Command: args, Settings: []byte(settings)}
			return s.pluginsVerify(cmd.Context(), plugin, asJSON)
		},
	}
	cmd.Flags().SetInterspersed(false) // what follows the program is the program's
	cmd.Flags().StringVar(&settings, "settings", "", "the plugin's settings, a JSON object")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the checks as JSON")
	return cmd
}

// pluginsVerify prints a line for each check. A check that fails is the plugin's
// fault, like any other of a plugin.
func (s *session) pluginsVerify(ctx context.Context, plugin conformance.Plugin, asJSON bool) error {
	checks, err := conformance.Run(ctx, plugin)
	if ctx.Err() != nil {
		return err
	}
	if err != nil {
		return &process.Error{Plugin: plugin.Command[0], What: err.Error()}
	}
	if asJSON {
		err = s.printJSON(checks)
	} else {
		err = s.printVerified(checks)
	}
	if err != nil || conformance.Passed(checks) {
		return err
	}
	failed := 0
	for _, check := range checks {
		if !check.OK {
			failed++
		}
	}
	e := &process.Error{
		Plugin: plugin.Command[0],
		What:   fmt.Sprintf("%d of %d checks failed", failed, len(checks)),
		Hint:   "docs/plugins.md says what a plugin has to do",
	}
	if last := checks[len(checks)-1]; last.Name == "configure" && !last.OK {
		e.Hint = "give the settings that it needs before the program: --settings JSON"
	}
	return e
}

// printVerified prints the checks below each other; a terminal breaks none of the
// lines.
func (s *session) printVerified(checks []conformance.Check) error {
	var text strings.Builder
	for _, check := range checks {
		line := oneLine(s.out, fmt.Sprintf("%s %s: %s", sign(check.OK), check.Name, check.Detail))
		if isShown(s.out) {
			text.WriteString(wrap(line, "  "))
		} else {
			fmt.Fprintln(&text, line)
		}
	}
	_, err := io.WriteString(s.out, text.String())
	return err
}
