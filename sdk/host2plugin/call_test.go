package host2plugin

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

func TestCallCarriesRequestAndResult(t *testing.T) {
	var kinds []hook.Kind
	for _, e := range exchanges(task) {
		kinds = append(kinds, e.kind)
		t.Run(string(e.kind), func(t *testing.T) {
			s := &stub{result: e.result}
			result, err := e.call(t.Context(), serve(t, s.spec()), e.request)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(s.request, e.request) {
				t.Errorf("the plugin got %+v; want %+v", s.request, e.request)
			}
			if !reflect.DeepEqual(result, e.result) {
				t.Errorf("the host got %+v; want %+v", result, e.result)
			}
		})
	}
	if !reflect.DeepEqual(kinds, hook.Kinds()) {
		t.Errorf("tested are %v; want %v", kinds, hook.Kinds())
	}
}

func TestFailureKeepsItsMeaning(t *testing.T) {
	failure := hook.Failure{Code: hook.FailureLockTimeout, Message: "held by 7 – Танец", Hint: "stagehook unlock"}
	for _, e := range exchanges(task) {
		t.Run(string(e.kind), func(t *testing.T) {
			s := &stub{result: e.result, err: &failure}
			result, err := e.call(t.Context(), serve(t, s.spec()), e.request)
			wantFailure(t, err, failure)
			if result != nil {
				t.Errorf("the result is %+v", result)
			}
		})
	}
}

// A value that the grammar refuses does not get as far as the implementation.
func TestRefusedRequestDoesNotReachThePlugin(t *testing.T) {
	badID, badRoot := task, task
	badID.ID = "TUNE-1/../x"
	badRoot.Root = "workspace"
	for field, refused := range map[string]hook.Task{"task_id": badID, "root": badRoot} {
		for _, e := range exchanges(refused) {
			t.Run(field+" "+string(e.kind), func(t *testing.T) {
				s := &stub{result: e.result}
				_, err := e.call(t.Context(), serve(t, s.spec()), e.request)
				wantRefusal(t, err, field)
				if s.request != nil {
					t.Error("the plugin got the request")
				}
			})
		}
	}
}

func TestRefusedAnswerDoesNotReachTheWriter(t *testing.T) {
	for field, spoil := range map[string]func(*hook.Answer){
		"stage":            func(a *hook.Answer) { a.Stage = "sing" },
		"command":          func(a *hook.Answer) { a.Command = "/dr-do\n" },
		"captured_by":      func(a *hook.Answer) { a.CapturedBy = "me" },
		"recommended_next": func(a *hook.Answer) { a.RecommendedNext = "rm" },
		"options[1]":       func(a *hook.Answer) { a.Options = []string{"a\u202eb"} },
	} {
		s := &stub{result: &hook.WriteResult{Path: "x"}}
		req := *exchanges(task)[0].request.(*hook.WriteRequest)
		spoil(&req.Answer)
		_, err := serve(t, s.spec()).Write(t.Context(), &req)
		wantRefusal(t, err, field)
		if s.request != nil {
			t.Errorf("%s: the writer got the request", field)
		}
	}
}

func TestNilResultIsAFailure(t *testing.T) {
	for _, e := range exchanges(task) {
		if e.kind == hook.KindObserver {
			continue // has no result
		}
		t.Run(string(e.kind), func(t *testing.T) {
			_, err := e.call(t.Context(), serve(t, (&stub{}).spec()), e.request)
			wantFailure(t, err, hook.Failure{Code: hook.FailureInternal, Message: "returned neither a result nor an error"})
		})
	}
}

func TestUnservedKindIsUnimplemented(t *testing.T) {
	for _, e := range exchanges(task) {
		s := &stub{}
		spec := &hook.Spec{Name: "stub", Version: "1.0.0", Writer: s}
		if e.kind == hook.KindWriter {
			spec.Writer, spec.Observer = nil, s
		}
		_, err := e.call(t.Context(), serve(t, spec), e.request)
		if status.Code(err) != codes.Unimplemented {
			t.Errorf("%s: error is %v; want Unimplemented", e.kind, err)
		}
	}
}

// A request that cannot be decoded is refused before the check.
func TestUndecodableRequestIsRefused(t *testing.T) {
	s := &stub{}
	_, err := serve(t, s.spec()).Render(t.Context(), &hook.RenderRequest{Task: task})
	if status.Code(err) != codes.InvalidArgument || s.request != nil {
		t.Errorf("error is %v, the plugin got %v", err, s.request)
	}
}

// foreign is a plugin of somebody who has not read the rules of the wire.
type foreign struct {
	proto.UnimplementedValidatorServer
}

func (foreign) Validate(context.Context, *proto.ValidateRequest) (*proto.ValidateResponse, error) {
	return &proto.ValidateResponse{Verdict: 99}, nil
}

func TestAnswerThatBreaksTheProtocol(t *testing.T) {
	client := connect(t, func(server *grpc.Server) { proto.RegisterValidatorServer(server, foreign{}) })
	_, err := client.Validate(t.Context(), exchanges(task)[1].request.(*hook.ValidateRequest))
	var broken *ProtocolError
	if !errors.As(err, &broken) || !strings.HasPrefix(err.Error(), "broke the protocol: verdict: ") {
		t.Fatalf("error is %T %v", err, err)
	}
	if errors.Unwrap(broken) != broken.Err {
		t.Error("the rule is not unwrapped")
	}
}

// waiting waits for the end of the call's context, or of one of its own.
type waiting struct {
	stub
	begun chan struct{}
	own   time.Duration // 0 for none
}

func (w *waiting) Archive(ctx context.Context, _ *hook.ArchiveRequest) (*hook.ArchiveResult, error) {
	close(w.begun)
	if w.own != 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, w.own)
		defer cancel()
	}
	<-ctx.Done()
	return nil, fmt.Errorf("policy server: %w", ctx.Err())
}

func TestEndOfTheCallersContext(t *testing.T) {
	w := &waiting{begun: make(chan struct{})}
	client := serve(t, &hook.Spec{Name: "x", Version: "1.0.0", Archiver: w})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-w.begun
		cancel()
	}()
	if _, err := client.Archive(ctx, &hook.ArchiveRequest{Task: task}); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v; want %v", err, context.Canceled)
	}

	w.begun = make(chan struct{})
	ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := client.Archive(ctx, &hook.ArchiveRequest{Task: task}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error is %v; want %v", err, context.DeadlineExceeded)
	}
}

// The plugin's own deadline says nothing of the call's.
func TestEndOfAContextOfThePlugins(t *testing.T) {
	w := &waiting{begun: make(chan struct{}), own: time.Nanosecond}
	client := serve(t, &hook.Spec{Name: "x", Version: "1.0.0", Archiver: w})
	_, err := client.Archive(t.Context(), &hook.ArchiveRequest{Task: task})
	wantFailure(t, err, hook.Failure{Code: hook.FailureInternal, Message: "policy server: context deadline exceeded"})
}

func wantFailure(t *testing.T, err error, want hook.Failure) {
	t.Helper()
	var failure *hook.Failure
	if !errors.As(err, &failure) || *failure != want {
		t.Errorf("error is %#v; want %#v", err, want)
	}
}

// wantRefusal checks for the failure that an [*identity.ValueError] becomes.
func wantRefusal(t *testing.T, err error, field string) {
	t.Helper()
	var failure *hook.Failure
	if !errors.As(err, &failure) || failure.Code != hook.FailureArgument || !strings.HasPrefix(failure.Message, field+": ") {
		t.Errorf("error is %#v; want an argument failure that begins with %s", err, field)
	}
}
