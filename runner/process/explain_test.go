//go:build unix

package process

import (
	"context"
	"errors"
	"testing"

	"go.uber.org/goleak"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/host2plugin"
)

// failWith makes a call that ends with the error, as a plugin that was not made
// with the SDK can make it.
func failWith(t *testing.T, p *Process, err error) error {
	t.Helper()
	_, err = Call(t.Context(), p, patience, func(context.Context, *hook.RenderRequest) (*hook.RenderResult, error) {
		return nil, err
	}, &hook.RenderRequest{})
	return err
}

// Errors that a process returns and goes on.
func TestErrorsOfForeignPlugins(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	pool, command := openPool(t), as("plugin", "good")
	p := mustStart(t, pool, command)
	for _, test := range []struct {
		err  error
		want string
	}{
		// Neither the caller's context nor the limit has ended.
		{context.Canceled, `gave up the call: context canceled`},
		{context.DeadlineExceeded, `gave up the call: context deadline exceeded`},
		{status.Error(codes.PermissionDenied, "a\n\x1b[31mb"), `broke the protocol: PermissionDenied: a  \[31mb`},
		{&host2plugin.ProtocolError{Err: errors.New("verdict: \x00")}, `broke the protocol: verdict:`},
		{hook.Failf(hook.FailureInternal, "a\nb"), `failed: a b`},
	} {
		wantError(t, failWith(t, p, test.err), test.want)
	}
	if mustStart(t, pool, command) != p {
		t.Error("the process was replaced")
	}
}

// The texts of a failure are a stranger's, whatever its code.
func TestReportedFailureIsOneLine(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	p := mustStart(t, openPool(t), as("plugin", "good"))
	err := failWith(t, p, &hook.Failure{Code: hook.FailureIO, Message: "a\nb", Hint: "c\x1bd"})
	var failure *hook.Failure
	if !errors.As(err, &failure) || *failure != (hook.Failure{Code: hook.FailureIO, Message: "a b", Hint: "c d"}) {
		t.Errorf("error is %#v", err)
	}
	err = failWith(t, p, &hook.Failure{Code: hook.FailureInternal, Message: "a", Hint: "c\x1bd"})
	var broken *Error
	if !errors.As(err, &broken) || broken.Hint != "c d" {
		t.Errorf("error is %#v", err)
	}
}
