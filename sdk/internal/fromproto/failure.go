package fromproto

import (
	"cmp"
	"context"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

// Failure is the way back of toproto.Failure. A status with a failure in its
// details becomes a [*hook.Failure], a canceled or overdue call the context's
// error. Anything else says nothing by the plugin itself, such as Unavailable
// when its process died, and is returned as it is.
func Failure(err error) error {
	s, ok := status.FromError(err)
	if !ok {
		return err
	}
	for _, detail := range s.Details() {
		if m, ok := detail.(*proto.Failure); ok {
			return &hook.Failure{
				Code:    failureCode(m.GetCode()),
				Message: cmp.Or(m.GetMessage(), s.Message(), "failed and did not say why"),
				Hint:    m.GetHint(),
			}
		}
	}
	switch s.Code() {
	case codes.Canceled:
		return context.Canceled
	case codes.DeadlineExceeded:
		return context.DeadlineExceeded
	}
	return err
}

// failureCode takes the codes of a later protocol for internal.
func failureCode(code string) hook.FailureCode {
	switch known := hook.FailureCode(code); known {
	case hook.FailureArgument, hook.FailureIO, hook.FailureLockTimeout:
		return known
	}
	return hook.FailureInternal
}
