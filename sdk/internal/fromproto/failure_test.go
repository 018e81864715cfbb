package fromproto_test

import (
	"context"
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	protobuf "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/internal/fromproto"
	"github.com/stagehook/stagehook/sdk/internal/proto"
	"github.com/stagehook/stagehook/sdk/internal/toproto"
)

// sent is the error that a call returns when its method returned err.
func sent(t *testing.T, err error) error {
	t.Helper()
	raw, merr := protobuf.Marshal(status.Convert(toproto.Failure(err)).Proto())
	if merr != nil {
		t.Fatal(merr)
	}
	m := status.New(codes.Unknown, "").Proto()
	if merr := protobuf.Unmarshal(raw, m); merr != nil {
		t.Fatal(merr)
	}
	return status.FromProto(m).Err()
}

func TestFailureRoundTrip(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		want hook.Failure
	}{
		{"argument", &hook.Failure{Code: hook.FailureArgument, Message: "m", Hint: "h"}, hook.Failure{Code: hook.FailureArgument, Message: "m", Hint: "h"}},
		{"io", &hook.Failure{Code: hook.FailureIO, Message: "m", Hint: "h"}, hook.Failure{Code: hook.FailureIO, Message: "m", Hint: "h"}},
		{"lock-timeout", &hook.Failure{Code: hook.FailureLockTimeout, Message: "m", Hint: "h"}, hook.Failure{Code: hook.FailureLockTimeout, Message: "m", Hint: "h"}},
		{"internal", &hook.Failure{Code: hook.FailureInternal, Message: "m", Hint: "h"}, hook.Failure{Code: hook.FailureInternal, Message: "m", Hint: "h"}},
		{"no message", &hook.Failure{Code: hook.FailureIO}, hook.Failure{Code: hook.FailureIO, Message: "failed and did not say why"}},
		{"value", &identity.ValueError{Field: "stage", Detail: "d"}, hook.Failure{Code: hook.FailureArgument, Message: "stage: d"}},
		{"path", &fs.PathError{Op: "open", Path: "p", Err: syscall.ENOSPC}, hook.Failure{Code: hook.FailureIO, Message: "open p: " + syscall.ENOSPC.Error()}},
		{"other", errors.New("o"), hook.Failure{Code: hook.FailureInternal, Message: "o"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got *hook.Failure
			if err := fromproto.Failure(sent(t, tt.err)); !errors.As(err, &got) {
				t.Fatalf("%v is no failure", err)
			}
			if *got != tt.want {
				t.Errorf("got %+v, want %+v", *got, tt.want)
			}
		})
	}
	for _, ctxErr := range []error{context.Canceled, context.DeadlineExceeded} {
		if got := fromproto.Failure(sent(t, ctxErr)); got != ctxErr {
			t.Errorf("%v became %v", ctxErr, got)
		}
	}
}

func withDetails(t *testing.T, code codes.Code, details ...protobuf.Message) error {
	t.Helper()
	m := status.New(code, "of the status").Proto()
	for _, detail := range details {
		packed, err := anypb.New(detail)
		if err != nil {
			t.Fatal(err)
		}
		m.Details = append(m.Details, packed)
	}
	return status.FromProto(m).Err()
}

func TestFailureOfStrangers(t *testing.T) {
	m := &proto.Failure{Code: "io", Message: "disk full"}
	for _, tt := range []struct {
		name string
		err  error
		want hook.Failure
	}{
		{"unknown code", withDetails(t, codes.Internal, &proto.Failure{Code: "quota", Message: "m"}), hook.Failure{Code: hook.FailureInternal, Message: "m"}},
		{"empty failure", withDetails(t, codes.Internal, &proto.Failure{}), hook.Failure{Code: hook.FailureInternal, Message: "of the status"}},
		{"behind another detail", withDetails(t, codes.Internal, durationpb.New(1), m), hook.Failure{Code: hook.FailureIO, Message: "disk full"}},
		{"with a code of gRPC's own", withDetails(t, codes.DeadlineExceeded, m), hook.Failure{Code: hook.FailureIO, Message: "disk full"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got *hook.Failure
			if err := fromproto.Failure(tt.err); !errors.As(err, &got) {
				t.Fatalf("%v is no failure", err)
			}
			if *got != tt.want {
				t.Errorf("got %+v, want %+v", *got, tt.want)
			}
		})
	}
}

// A broken plugin must not look like one that failed properly.
func TestFailureLeavesTheRestAlone(t *testing.T) {
	garbled := status.New(codes.Internal, "garbled").Proto()
	garbled.Details = []*anypb.Any{
		{TypeUrl: "type.googleapis.com/stagehook.v1.Failure", Value: []byte{0xFF}},
		{TypeUrl: "type.googleapis.com/of.another.world", Value: []byte("x")},
	}
	errs := []error{nil, errors.New("no status"), context.Canceled, withDetails(t, codes.Internal, durationpb.New(1)), status.FromProto(garbled).Err()}
	for code := codes.Unknown; code <= codes.Unauthenticated; code++ {
		if code != codes.DeadlineExceeded {
			errs = append(errs, status.Error(code, "bare"))
		}
	}
	for _, err := range errs {
		if got := fromproto.Failure(err); got != err {
			t.Errorf("%v became %v", err, got)
		}
	}
}
