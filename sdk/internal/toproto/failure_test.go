package toproto

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	protobuf "google.golang.org/protobuf/proto"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

// detail returns the one failure in the status of err, nil when it has none.
func detail(t *testing.T, err error) *proto.Failure {
	t.Helper()
	details := status.Convert(err).Details()
	if len(details) == 0 {
		return nil
	}
	failure, ok := details[0].(*proto.Failure)
	if !ok || len(details) > 1 {
		t.Fatalf("details %v, want one failure", details)
	}
	return failure
}

func TestFailureClassifies(t *testing.T) {
	_, notExist := os.Open(filepath.Join(t.TempDir(), "absent"))
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	_, outside := root.Open("../x")
	renamed := root.Rename("../x", "y")
	if err := root.Close(); err != nil {
		t.Fatal(err)
	}
	_, closed := root.Open("x")

	failure := &hook.Failure{Code: hook.FailureLockTimeout, Message: "locked", Hint: "wait"}
	value := &identity.ValueError{Field: "task_id", Detail: `"x" is none`}
	for _, tt := range []struct {
		name string
		err  error
		want *proto.Failure
		code codes.Code
	}{
		{"argument", hook.Failf(hook.FailureArgument, "a"), &proto.Failure{Code: "argument", Message: "a"}, codes.InvalidArgument},
		{"io", hook.Failf(hook.FailureIO, "a"), &proto.Failure{Code: "io", Message: "a"}, codes.Internal},
		{"lock-timeout", failure, &proto.Failure{Code: "lock-timeout", Message: "locked", Hint: "wait"}, codes.Aborted},
		{"internal", hook.Failf(hook.FailureInternal, "a"), &proto.Failure{Code: "internal", Message: "a"}, codes.Internal},
		{"own code", hook.Failf("quota\xff", "a"), &proto.Failure{Code: "internal", Message: "a"}, codes.Internal},
		{"wrapped", fmt.Errorf("write: %w", failure), &proto.Failure{Code: "lock-timeout", Message: "write: locked", Hint: "wait"}, codes.Aborted},
		{"over a context", errors.Join(context.Canceled, failure), &proto.Failure{Code: "lock-timeout", Message: "context canceled locked", Hint: "wait"}, codes.Aborted},
		{"value", value, &proto.Failure{Code: "argument", Message: `task_id: "x" is none`}, codes.InvalidArgument},
		{"wrapped value", fmt.Errorf("answer: %w", value), &proto.Failure{Code: "argument", Message: `answer: task_id: "x" is none`}, codes.InvalidArgument},
		{"path", notExist, &proto.Failure{Code: "io", Message: notExist.Error()}, codes.Internal},
		{"outside the root", outside, &proto.Failure{Code: "io", Message: outside.Error()}, codes.Internal},
		{"link", renamed, &proto.Failure{Code: "io", Message: renamed.Error()}, codes.Internal},
		{"closed", closed, &proto.Failure{Code: "io", Message: closed.Error()}, codes.Internal},
		{"errno", fmt.Errorf("fsync: %w", syscall.ENOSPC), &proto.Failure{Code: "io", Message: "fsync: " + syscall.ENOSPC.Error()}, codes.Internal},
		{"short write", io.ErrShortWrite, &proto.Failure{Code: "io", Message: "short write"}, codes.Internal},
		{"other", errors.New("a"), &proto.Failure{Code: "internal", Message: "a"}, codes.Internal},
		{"status", status.Error(codes.NotFound, "a"), &proto.Failure{Code: "internal", Message: "rpc error: code = NotFound desc = a"}, codes.Internal},
		{"canceled", context.Canceled, nil, codes.Canceled},
		{"deadline", context.DeadlineExceeded, nil, codes.DeadlineExceeded},
		{"wrapped context", &fs.PathError{Op: "lock", Path: "p", Err: context.Canceled}, nil, codes.Canceled},
		{"file deadline", &fs.PathError{Op: "read", Path: "p", Err: os.ErrDeadlineExceeded}, &proto.Failure{Code: "io", Message: "read p: i/o timeout"}, codes.Internal},
		{"nil", nil, nil, codes.OK},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Failure(tt.err)
			if code := status.Code(got); code != tt.code {
				t.Errorf("status %s, want %s", code, tt.code)
			}
			if failure := detail(t, got); !protobuf.Equal(failure, tt.want) {
				t.Errorf("got %v, want %v", failure, tt.want)
			}
		})
	}
}

func TestFailureOfNilIsNil(t *testing.T) {
	if err := Failure(nil); err != nil {
		t.Errorf("got %v", err)
	}
}

// Whatever a plugin fails with, its text is one line and the status fits the 8
// KiB of headers that a gRPC peer accepts, with room for the other headers.
func TestFailureFitsTheHeaders(t *testing.T) {
	const otherHeaders = 256
	for _, char := range []string{"x", "%", "ж", "👍", "\xff", "\n", "\u2028"} {
		long := strings.Repeat(char+"a", 100_000)
		for _, err := range []error{
			&hook.Failure{Code: hook.FailureLockTimeout, Message: long, Hint: long},
			errors.New(long),
			fmt.Errorf("%s: %w", long, context.Canceled),
		} {
			s := status.Convert(Failure(err))
			raw, merr := protobuf.Marshal(s.Proto())
			if merr != nil {
				t.Fatal(merr)
			}
			// Every byte of the message takes at most three, as in %FF.
			size := base64.StdEncoding.EncodedLen(len(raw)) + 3*len(s.Message()) + otherHeaders
			if size > 8<<10 {
				t.Errorf("%q: about %d bytes of headers", char, size)
			}
			failure := detail(t, Failure(err))
			for _, text := range []string{s.Message(), failure.GetMessage(), failure.GetHint()} {
				if len(text) > maxLineBytes || !utf8.ValidString(text) || strings.ContainsAny(text, "\n\u2028") {
					t.Errorf("%q: %d bytes, %.40q", char, len(text), text)
				}
			}
		}
	}
}
