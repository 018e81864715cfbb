package sdk

import (
	"context"
	"errors"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/workspace"
)

// FailIO turns an error of package workspace or of a file operation into a
// [Failure]: a timeout on a lock keeps its meaning and its hint, and what has a
// meaning already is returned as it is.
func FailIO(err error) error {
	var (
		failure *hook.Failure
		value   *identity.ValueError
		timeout *workspace.LockTimeoutError
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &failure), errors.As(err, &value),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &timeout):
		return &hook.Failure{Code: hook.FailureLockTimeout, Message: timeout.Error(), Hint: timeout.Hint()}
	default:
		return hook.Failf(hook.FailureIO, "%v", err)
	}
}
