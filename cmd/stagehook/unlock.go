package main

import (
	"github.com/spf13/cobra"

	"github.com/stagehook/stagehook/runner"
	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/workspace"
)

func newUnlock(s *session) *cobra.Command {
	var task string
	cmd := &cobra.Command{
		Use:         "unlock",
		Short:       "Clear a task's lock that nobody gives back",
		Args:        noArguments,
		Annotations: required("task"),
		RunE:        func(*cobra.Command, []string) error { return s.unlock(task) },
	}
	cmd.Flags().StringVar(&task, "task", "", "task ID (required)")
	return cmd
}

func (s *session) unlock(task string) error {
	found, err := s.open(func(r *runner.Runner) error { return r.Grammar().TaskID(task) })
	if err != nil {
		return err
	}
	ws, err := workspace.Open(found.root)
	if err != nil {
		return err
	}
	defer ws.Close()
	cleared, err := ws.Unlock(task)
	if err != nil {
		return sdk.FailIO(err)
	}
	if cleared {
		s.success("cleared the lock of %s", task)
	} else {
		s.success("%s is not locked", task)
	}
	return nil
}
