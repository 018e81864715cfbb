package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/stagehook/stagehook/runner"
	"github.com/stagehook/stagehook/runner/config"
	"github.com/stagehook/stagehook/runner/process"
	"github.com/stagehook/stagehook/sdk/hook"
)

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

// pluginJSON is what is listed of a plugin. It has no start time when it could not
// be asked; Problem then says why.
type pluginJSON struct {
	Name    string      `json:"name"`
	Kinds   []hook.Kind `json:"kinds"`
	Version string      `json:"version"`
	Program string      `json:"program"`
	Origin  string      `json:"origin"`
	SHA256  string      `json:"sha256,omitempty"` // the pin
	Trust   trust       `json:"trust"`
	StartMS float64     `json:"start_ms,omitempty"` // from the start of the program until it had said what it is
	Problem string      `json:"problem,omitempty"`

	from config.Origin
}

// trust is how a plugin stands with the user.
type trust string

const (
	trusted       trust = "trusted"
	untrusted     trust = "untrusted"
	needsNoTrust  trust = "not needed"
	shownOfDigest       = 8 // of a pin, enough to tell it from another
)

func (s *session) pluginsList(ctx context.Context, asJSON bool) error {
	root := s.anyRoot()
	cfg, r, err := s.configured(root)
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(cfg.Plugins))
	list := make([]pluginJSON, len(names))
	var asking sync.WaitGroup
	for i, name := range names {
		asking.Go(func() { list[i] = look(ctx, r, cfg, cfg.Plugins[name]) })
	}
	asking.Wait()
	if asJSON {
		return s.printJSON(list)
	}
	if err := s.printPlugins(list, root); err != nil {
		return err
	}
	for _, p := range list {
		if p.Problem != "" {
			s.warn([]string{p.Problem})
		}
	}
	return nil
}

// printPlugins prints the table. On a terminal an origin that would leave it stands
// below its row.
func (s *session) printPlugins(list []pluginJSON, root string) error {
	var text bytes.Buffer
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tKIND\tVERSION\tSTART\tPIN\tTRUST\tORIGIN")
	for _, p := range list {
		kinds, start := strings.Trim(fmt.Sprint(p.Kinds), "[]"), fmt.Sprintf("%.0f ms", p.StartMS)
		if p.Problem != "" {
			kinds, p.Version, start = "?", "?", "?"
		}
		pin := cmp.Or(p.SHA256[:min(len(p.SHA256), shownOfDigest)], "-")
		p.from.Path = shortPath(p.from.Path, root)
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			p.Name, oneLine(s.out, kinds), oneLine(s.out, p.Version), start, pin, p.Trust, oneLine(s.out, p.from.String()))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		if at := strings.LastIndex(line, "  "); isShown(s.out) && at >= 0 && utf8.RuneCountInString(line) > columns+len("\n") {
			line = strings.TrimRight(line[:at], " ") + "\n" + line[at:]
		}
		if _, err := io.WriteString(s.out, line); err != nil {
			return err
		}
	}
	return nil
}

// shortPath is the path from the workspace's root if it is below that, else from
// the user's home as ~/… if it is below that.
func shortPath(path, root string) string {
	if short, ok := below(path, root); ok {
		return short
	}
	home, _ := os.UserHomeDir() // without one nothing is below it
	if short, ok := below(path, home); ok {
		return filepath.Join("~", short)
	}
	return path
}

// below returns the way from a folder to a path inside it.
func below(path, folder string) (string, bool) {
	if !filepath.IsAbs(path) || !filepath.IsAbs(folder) {
		return "", false
	}
	short, err := filepath.Rel(folder, path)
	return short, err == nil && filepath.IsLocal(short)
}

// look asks a plugin what it is.
func look(ctx context.Context, r *runner.Runner, cfg *config.Config, plugin config.Plugin) pluginJSON {
	p := pluginJSON{
		Name: plugin.Name, Program: "built-in " + plugin.Builtin, SHA256: plugin.SHA256,
		Trust: needsNoTrust, Origin: plugin.Origin.String(), from: plugin.Origin,
	}
	if program := plugin.Program(); program != nil {
		p.Program = strings.Join(program, " ")
		if plugin.Builtin != "" {
			p.Program = plugin.Builtin + " " + p.Program
		}
	}
	if cfg.NeedsTrust(plugin.Name) {
		p.Trust = trusted
	}
	command, err := r.Command(plugin.Name)
	if err == nil {
		var description *hook.Description
		began := time.Now()
		if description, err = process.Describe(ctx, command); err == nil {
			p.StartMS = float64(time.Since(began).Microseconds()) / 1000
			p.Kinds, p.Version = description.Kinds, description.Version
		}
	}
	var refused *config.UntrustedError
	switch {
	case errors.As(err, &refused):
		p.Trust, p.Problem = untrusted, refused.Error()+"; "+refused.Hint()
	case err != nil:
		p.Problem = err.Error()
	}
	return p
}
