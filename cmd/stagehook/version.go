package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
)

func newVersion(s *session) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of stagehook and of its plugin protocol",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(s.out, "stagehook %s (plugin protocol %d, %s %s/%s)\n",
				sdk.Version, hook.ProtocolVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
