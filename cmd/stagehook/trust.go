package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/stagehook/stagehook/runner/config"
)

// trustFlags are the flags of trust.
type trustFlags struct{ yes, list, revoke, json bool }

func newTrust(s *session) *cobra.Command {
	var f trustFlags
	cmd := &cobra.Command{
		Use:   "trust FILE",
		Short: "Allow a workspace's configuration, as it is now, to run the programs it names",
		Long: "Show what a workspace's configuration would run, and allow just that. On a terminal it\n" +
			"asks before it does.",
		Args: func(_ *cobra.Command, args []string) error { return f.check(args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.list:
				return s.trustList(f.json)
			case f.revoke:
				return s.trustRevoke(args[0])
			}
			return s.trust(cmd.Context(), args[0], f.yes)
		},
	}
	cmd.Flags().BoolVar(&f.yes, "yes", false, "do not ask, on a terminal either")
	cmd.Flags().BoolVar(&f.list, "list", false, "list what is trusted")
	cmd.Flags().BoolVar(&f.revoke, "revoke", false, "take the trust in the file back, whatever it holds now")
	cmd.Flags().BoolVar(&f.json, "json", false, "print the list as JSON")
	return cmd
}

func (f trustFlags) check(args []string) error {
	switch {
	case f.list && (f.yes || f.revoke), f.revoke && f.yes:
		return usagef("--list, --revoke and --yes exclude each other")
	case f.list && len(args) > 0:
		return usagef("unexpected argument %q", args[0])
	case f.json && !f.list:
		return usagef("--json is only for --list")
	case !f.list && len(args) != 1:
		return usagef("trust takes one file, such as datarim/stagehook.yaml")
	}
	return nil
}

var errDeclined = errors.New("not trusted")

func (s *session) trust(ctx context.Context, file string, yes bool) error {
	p, err := config.Propose(s.sources(""), file)
	if err != nil {
		return err
	}
	s.showProposal(p)
	if p.Trusted {
		_, err = fmt.Fprintf(s.out, "it is trusted already, with the content sha256:%s\n", p.SHA256)
		return err
	}
	if !yes {
		if err := s.confirm(ctx, "trust it? [y/N] "); err != nil {
			return err
		}
	}
	if err := p.Trust(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "trusted %s with the content sha256:%s\n", config.ShellWord(file), p.SHA256)
	return err
}

// showProposal prints all of it: what is cut off cannot be agreed to. Every text is
// one line, whatever the file holds.
func (s *session) showProposal(p *config.Proposal) {
	if len(p.Grants) == 0 {
		fmt.Fprintf(s.out, "%s has no say in what runs\n", config.ShellWord(p.File))
	} else {
		fmt.Fprintf(s.out, "%s has a say in this:\n", config.ShellWord(p.File))
	}
	for _, g := range p.Grants {
		fmt.Fprintf(s.out, "%s, from %s\n", grantName(g.Plugin), g.Origin)
		s.showFacts("  ", g.Facts)
	}
	if !p.Earlier {
		return
	}
	changes := p.Changes()
	switch {
	case p.Before == nil:
		fmt.Fprintln(s.out, "another content was trusted before, and there is no valid copy of it to compare with")
	case changes == nil:
		fmt.Fprintln(s.out, "nothing of this has changed since it was trusted")
	default:
		fmt.Fprintln(s.out, "changed since it was trusted:")
	}
	if p.Before == nil {
		return
	}
	for _, c := range changes {
		fmt.Fprintln(s.out, grantName(c.Plugin))
		s.showFacts("  - ", c.Gone)
		s.showFacts("  + ", c.News)
	}
}

func grantName(plugin string) string {
	if plugin == "" {
		return "the runner"
	}
	return "plugin " + plugin
}

func (s *session) showFacts(prefix string, facts []config.Fact) {
	for _, fact := range facts {
		fmt.Fprintf(s.out, "%s%s: %s\n", prefix, fact.Key, fact.Value)
	}
}

// confirm asks a person, who must have seen what it is about. Where there is nobody
// to ask the command itself is the user's word.
func (s *session) confirm(ctx context.Context, question string) error {
	file, ok := s.in.(*os.File)
	if !ok || !isTerminal(file) || !isShown(s.out) {
		return nil
	}
	fmt.Fprint(s.out, question)
	answered := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(file).ReadString('\n') // no answer is a no
		answered <- line
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(s.out)
		return context.Cause(ctx)
	case line := <-answered:
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "y", "yes":
			return nil
		}
		return errDeclined
	}
}

func (s *session) trustList(asJSON bool) error {
	records, err := config.TrustRecords()
	if err != nil {
		return err
	}
	if asJSON {
		return s.printJSON(records)
	}
	table := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	for _, r := range records {
		fmt.Fprintf(table, "%s\t%.12s\t%s\n", r.State, r.SHA256, oneLine(s.out, r.Path))
	}
	return table.Flush()
}

func (s *session) trustRevoke(file string) error {
	revoked, err := config.RevokeTrust(file)
	if err != nil {
		return err
	}
	if revoked == 0 {
		return fmt.Errorf("%s is not trusted", config.ShellWord(file))
	}
	_, err = fmt.Fprintf(s.out, "%s is not trusted any more\n", config.ShellWord(file))
	return err
}
