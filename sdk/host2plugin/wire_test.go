package host2plugin

import (
	"context"
	"net"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// connect returns a client whose calls go over gRPC to what register registers.
func connect(t *testing.T, register func(*grpc.Server), options ...grpc.ServerOption) *Client {
	t.Helper()
	return NewClient(dial(t, register, options...))
}

// dial returns the connection below such a client.
func dial(t *testing.T, register func(*grpc.Server), options ...grpc.ServerOption) *grpc.ClientConn {
	t.Helper()
	listener := bufconn.Listen(1 << 20)
	server := grpc.NewServer(options...)
	register(server)
	served := make(chan error)
	go func() { served <- server.Serve(listener) }()
	conn, err := grpc.NewClient("passthrough:memory",
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close()
		server.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return conn
}

func serve(t *testing.T, spec *hook.Spec) *Client {
	t.Helper()
	return connect(t, func(server *grpc.Server) { Register(server, spec) })
}

// stub serves every kind: it keeps the request, and returns the result and the
// error that it holds.
type stub struct {
	request, result any
	err             error
}

func (s *stub) spec() *hook.Spec {
	return &hook.Spec{
		Name: "stub", Version: "1.0.0",
		Writer: s, Validator: s, Revalidator: s, Renderer: s, Archiver: s, Observer: s,
	}
}

func reply[Res any](s *stub, req any) (*Res, error) {
	s.request = req
	res, _ := s.result.(*Res)
	return res, s.err
}

func (s *stub) Write(_ context.Context, req *hook.WriteRequest) (*hook.WriteResult, error) {
	return reply[hook.WriteResult](s, req)
}

func (s *stub) Validate(_ context.Context, req *hook.ValidateRequest) (*hook.ValidateResult, error) {
	return reply[hook.ValidateResult](s, req)
}

func (s *stub) Revalidate(_ context.Context, req *hook.RevalidateRequest) (*hook.RevalidateResult, error) {
	return reply[hook.RevalidateResult](s, req)
}

func (s *stub) Render(_ context.Context, req *hook.RenderRequest) (*hook.RenderResult, error) {
	return reply[hook.RenderResult](s, req)
}

func (s *stub) Archive(_ context.Context, req *hook.ArchiveRequest) (*hook.ArchiveResult, error) {
	return reply[hook.ArchiveResult](s, req)
}

func (s *stub) Observe(_ context.Context, req *hook.ObserveRequest) error {
	_, err := reply[struct{}](s, req)
	return err
}

// exchange is one call of a kind: what is sent and what comes back.
type exchange struct {
	kind            hook.Kind
	request, result any
	call            func(ctx context.Context, client *Client, request any) (any, error)
}

// calling makes a call of exchange from a method of the client.
func calling[Req, Res any](method func(*Client, context.Context, *Req) (*Res, error)) func(context.Context, *Client, any) (any, error) {
	return func(ctx context.Context, client *Client, request any) (any, error) {
		res, err := method(client, ctx, request.(*Req))
		if res == nil {
			return nil, err
		}
		return res, err
	}
}

// observe has the form of the other kinds' methods.
func observe(client *Client, ctx context.Context, req *hook.ObserveRequest) (*struct{}, error) {
	return nil, client.Observe(ctx, req)
}

var (
	at   = time.Date(2026, 5, 21, 13, 45, 0, 0, time.UTC)
	task = hook.Task{
		Root: "/workspace", ID: "TUNE-0254",
		Rules: hook.Rules{Rules: identity.Rules{TaskIDPattern: `TUNE-[0-9]+`, Stages: []string{"dance"}}, Marker: "<!-- cut -->"},
	}
	stored = &snapshot.Snapshot{
		TaskID: "TUNE-0254", Stage: "plan", Command: "/dr-plan", CapturedAt: at, CapturedBy: "agent",
		RecommendedNext: "/dr-do", Options: []string{"/dr-do | go on"}, SizeBytes: 300, Body: []byte("a\xff\x00b"),
	}
	route = &hook.Route{Command: "/dr-do TUNE-0254", Token: hook.Token{Type: "advance", Value: "advance:1"}}
)

// exchanges returns one of each kind, for a task.
func exchanges(task hook.Task) []exchange {
	return []exchange{
		{
			hook.KindWriter,
			&hook.WriteRequest{Task: task, LockTimeout: 1500 * time.Millisecond, Answer: hook.Answer{
				Stage: "dance", Command: "/dr-dance", CapturedAt: at, CapturedBy: "operator",
				RecommendedNext: "/dr-do TUNE-0254", Options: []string{"/dr-do | Танец"}, Body: []byte("a\xff\x00b"),
			}},
			&hook.WriteResult{Path: "datarim/x", SizeBytes: 300, Truncated: true, Warnings: []string{"cut"}},
			calling((*Client).Write),
		},
		{
			hook.KindValidator,
			&hook.ValidateRequest{Task: task, Level: snapshot.LevelSchema},
			&hook.ValidateResult{Verdict: hook.VerdictValid, Path: "datarim/x", Snapshot: stored},
			calling((*Client).Validate),
		},
		{
			hook.KindRevalidator,
			&hook.RevalidateRequest{Task: task, Snapshot: stored},
			&hook.RevalidateResult{Route: route, Lineage: []string{"A@1"}, CheckedAt: at},
			calling((*Client).Revalidate),
		},
		{
			hook.KindRenderer,
			&hook.RenderRequest{Task: task, Snapshot: stored, Route: route},
			&hook.RenderResult{Command: "/dr-do", Purpose: "go on", Prompt: []byte("a\xff\x00b")},
			calling((*Client).Render),
		},
		{
			hook.KindArchiver,
			&hook.ArchiveRequest{Task: task, Event: "archive", LockTimeout: time.Second},
			&hook.ArchiveResult{Archived: true, Path: "documentation/x", Warnings: []string{"moved"}},
			calling((*Client).Archive),
		},
		{
			hook.KindObserver,
			&hook.ObserveRequest{Task: task, Event: "resume", Result: "done", Started: at, Elapsed: time.Second,
				Steps: []hook.StepReport{{Kind: hook.KindRenderer, Plugin: "x", PID: 7, Call: time.Second}}},
			nil,
			calling(observe),
		},
	}
}
