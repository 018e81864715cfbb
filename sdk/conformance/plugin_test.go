//go:build unix

package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"
	"unicode/utf8"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/host2plugin"
	"github.com/stagehook/stagehook/sdk/internal/toproto"
	"github.com/stagehook/stagehook/sdk/workspace"
)

// playPlugin is a plugin as somebody writes it who does without sdk.Serve: it
// keeps every rule but the one that the mode names.
func playPlugin(mode, last string) int {
	p := &player{mode: mode}
	if last == "describe" {
		return p.describe()
	}
	if os.Getenv(hook.CookieKey) == "" && mode != "cookie" {
		if mode != "cookie: silent" {
			fmt.Fprintln(os.Stderr, "I am a plugin")
		}
		if mode == "cookie: content" {
			return 0
		}
		return 1
	}
	if mode == "handshake: crash" {
		fmt.Fprintln(os.Stderr, "starting\nno licence found")
		return 7
	}
	return p.serve()
}

type player struct {
	mode    string
	running atomic.Int32
	Depth   int `json:"depth"`
}

func (p *player) spec() *hook.Spec {
	return &hook.Spec{Name: "player", Version: "1.0.0", Settings: p, Revalidator: p, Validator: p, Writer: p}
}

// said is what the plugin says of itself.
func (p *player) said() *hook.Spec {
	spec := p.spec()
	if p.mode == "undeclared-kind" {
		spec.Validator = nil
	}
	return spec
}

func (p *player) describe() int {
	d, err := p.said().Describe()
	if err != nil {
		panic(err)
	}
	switch p.mode {
	case "describe: text":
		fmt.Print("player 1.0.0")
		return 0
	case "describe: endless":
		for {
			_, _ = os.Stdout.Write(make([]byte, 64<<10))
		}
	case "describe: exit":
		return 3
	case "describe: protocols":
		d.Protocols = []int{2}
	case "configure: version":
		d.Version = "1.0.1"
	case "configure: kinds":
		d.Kinds = d.Kinds[:1]
	}
	_ = json.NewEncoder(os.Stdout).Encode(d)
	return 0
}

func (p *player) serve() int {
	signal.Ignore(syscall.SIGPIPE)
	folder := os.Getenv("PLUGIN_UNIX_SOCKET_DIR")
	if p.mode == "handshake: elsewhere" {
		folder, _ = os.MkdirTemp("/tmp", "")
		defer os.RemoveAll(folder)
	}
	if p.mode == "cookie" && folder == "" {
		time.Sleep(time.Minute)
	}
	address := filepath.Join(folder, "s")
	listener, err := net.Listen("unix", address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	limit := hook.MaxMessageBytes
	if p.mode == "large-message" {
		limit = 4 << 20
	}
	server := grpc.NewServer(grpc.MaxRecvMsgSize(limit), grpc.UnaryInterceptor(p.intercept))
	host2plugin.Register(server, p.spec())
	done := make(chan struct{}, 3)
	if p.mode != "shutdown" {
		registerShutdown(server, func() { done <- struct{}{} })
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		if p.mode != "host-death" {
			done <- struct{}{}
		}
	}()
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	go func() {
		<-terminated
		if p.mode != "terminate" {
			done <- struct{}{}
		}
	}()
	p.print(address)
	go func() { _ = server.Serve(listener) }()
	<-done
	for deadline := time.Now().Add(hook.StopGrace); p.running.Load() > 0 && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
	}
	return 0
}

// print prints the handshake and what comes with it.
func (p *player) print(address string) {
	protocol := "grpc"
	switch p.mode {
	case "handshake: noise":
		fmt.Println("loading policy")
	case "handshake: netrpc":
		protocol = "netrpc"
	case "handshake: certificate":
		protocol = "grpc|QUJD"
	}
	fmt.Printf("1|1|unix|%s|%s\n", address, protocol)
	switch p.mode {
	case "stdout":
		fmt.Println("ready to serve")
	case "noise on standard error":
		go func() {
			line := make([]byte, 200<<10)
			for range 20 {
				fmt.Fprintf(os.Stderr, "%q\n{\"@message\": 1}\n", line)
			}
		}()
	}
}

// intercept breaks what the SDK would do right.
func (p *player) intercept(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	p.running.Add(1)
	defer p.running.Add(-1)
	configures := info.FullMethod == "/stagehook.v1.Plugin/Configure"
	switch {
	case p.mode == "unknown-field" && len(req.(proto.Message).ProtoReflect().GetUnknown()) > 0 && proto.Size(req.(proto.Message)) < 1<<20:
		return nil, status.Error(codes.Internal, "extra data")
	case p.mode == "invalid-utf8" && !configures && !utf8.Valid(bodyOf(req)):
		return nil, toproto.Failure(hook.Failf(hook.FailureInternal, "no text"))
	case p.mode == "empty-body" && !configures && hasBody(req) && len(bodyOf(req)) == 0:
		panic("index out of range")
	case p.mode == "empty-message" && proto.Size(req.(proto.Message)) == 0 && !configures:
		panic("nil pointer dereference")
	}
	res, err := handler(ctx, req)
	if err == nil {
		if configures {
			res = toproto.Description(p.said())
		}
		return res, nil
	}
	refused := errors.As(err, new(interface{ GRPCStatus() *status.Status })) && status.Code(err) == codes.InvalidArgument
	switch {
	case refused && p.mode == "settings" && configures && req.(interface{ GetSettings() []byte }).GetSettings()[0] == '[',
		refused && p.mode == "unknown-setting" && configures && isObject(req):
		return toproto.Description(p.spec()), nil
	case refused && p.mode == "settings: bare" && configures && !isObject(req):
		return nil, status.Error(codes.InvalidArgument, "no")
	case refused && p.mode == "unknown-enum" && status.Convert(err).Message() == "level: unknown value 99":
		return toproto.ValidateResult(&hook.ValidateResult{Verdict: hook.VerdictMissing}), nil
	case refused && !configures && p.mode == "task-id: io":
		return nil, p.touch(req, err)
	case refused && !configures && p.mode == "task-id" && proto.Size(req.(proto.Message)) > 0 && info.FullMethod == methods[hook.KindRevalidator]:
		return toproto.RevalidateResult(&hook.RevalidateResult{CheckedAt: capturedAt}), nil
	}
	return nil, err
}

// isObject reports whether the settings of a Configure are an object of known
// types.
func isObject(req any) bool {
	var object struct {
		Depth int `json:"depth"`
	}
	return json.Unmarshal(req.(interface{ GetSettings() []byte }).GetSettings(), &object) == nil
}

// field finds a field of a message, or of a message in it, by its name.
func field(req any, name string) (value any, found bool) {
	m := req.(proto.Message).ProtoReflect()
	for _, outer := range []string{"", "answer", "snapshot", "task"} {
		in := m
		if outer != "" {
			d := m.Descriptor().Fields().ByTextName(outer)
			if d == nil {
				continue
			}
			in = m.Get(d).Message()
		}
		if d := in.Descriptor().Fields().ByTextName(name); d != nil {
			return in.Get(d).Interface(), true
		}
	}
	return nil, false
}

func hasBody(req any) bool {
	_, found := field(req, "body")
	return found && proto.Size(req.(proto.Message)) > 0
}

func bodyOf(req any) []byte {
	body, _ := field(req, "body")
	text, _ := body.([]byte)
	return text
}

// touch leaves a file in the request's workspace.
func (p *player) touch(req any, err error) error {
	if root, _ := field(req, "root"); root != "" {
		_ = os.WriteFile(filepath.Join(root.(string), "touched"), nil, 0o600)
	}
	return err
}

// Revalidate answers as the mode says.
func (p *player) Revalidate(ctx context.Context, _ *hook.RevalidateRequest) (*hook.RevalidateResult, error) {
	deadline, limited := ctx.Deadline()
	switch {
	case p.mode == "concurrency" && p.running.Load() > 1,
		p.mode == "concurrency" && p.linger() > 1:
		return nil, hook.Failf(hook.FailureInternal, "busy")
	case p.mode == "deadline" && limited && time.Until(deadline) < time.Second,
		p.mode == "cancel" && !limited:
		time.Sleep(time.Minute)
	case p.mode == "answer":
		return nil, errors.New("the policy is missing")
	case p.mode == "answer: crash":
		fmt.Fprintln(os.Stderr, "fatal error: out of cheese")
		os.Exit(3)
	}
	return &hook.RevalidateResult{CheckedAt: capturedAt}, nil
}

// linger gives other calls the time to come.
func (p *player) linger() int32 {
	for range 20 {
		if time.Sleep(5 * time.Millisecond); p.running.Load() > 1 {
			break
		}
	}
	return p.running.Load()
}

// Validate finds nothing.
func (p *player) Validate(context.Context, *hook.ValidateRequest) (*hook.ValidateResult, error) {
	return &hook.ValidateResult{Verdict: hook.VerdictMissing, Path: "x"}, nil
}

// Write stores nothing.
func (p *player) Write(ctx context.Context, req *hook.WriteRequest) (*hook.WriteResult, error) {
	if deadline, limited := ctx.Deadline(); p.mode == "deadline: lock" && limited && time.Until(deadline) < time.Second {
		ws, err := workspace.Open(req.Task.Root)
		if err != nil {
			return nil, err
		}
		defer ws.Close()
		lock, err := ws.Lock(context.Background(), req.Task.ID, req.LockTimeout)
		if err != nil {
			return nil, err
		}
		return &hook.WriteResult{Path: "x"}, lock.Release()
	}
	return &hook.WriteResult{Path: "x"}, nil
}

func registerShutdown(server *grpc.Server, end func()) {
	server.RegisterService(&grpc.ServiceDesc{
		ServiceName: "plugin.GRPCController",
		HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{{
			MethodName: "Shutdown",
			Handler: func(any, context.Context, func(any) error, grpc.UnaryServerInterceptor) (any, error) {
				time.AfterFunc(10*time.Millisecond, end)
				return &emptypb.Empty{}, nil
			},
		}},
	}, nil)
}
