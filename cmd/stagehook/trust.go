package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stagehook/stagehook/runner/config"
)

func newTrust(s *session) *cobra.Command {
	return &cobra.Command{
		Use:   "trust FILE",
		Short: "Allow a workspace's configuration, as it is now, to run the programs it names",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("trust takes one file, such as datarim/stagehook.yaml")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			sum, err := config.Trust(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(s.out, "trusted %s with the content sha256:%s\n", args[0], sum)
			return err
		},
	}
}
