package sdktest

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hashicorp/go-hclog"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/host2plugin"
)

// run makes the call of a case. The task is that of the case's request, and fill
// gives the rest of the request its defaults.
func run[Req, Res any](
	t testing.TB, spec *hook.Spec, kind hook.Kind, c *Case[Req, Res], task *hook.Task,
	method func(*host2plugin.Client, context.Context, *Req) (*Res, error), fill func(),
) *Res {
	t.Helper()
	if err := spec.Validate(); err != nil {
		t.Fatalf("the spec: %v", err)
	}
	if !slices.Contains(spec.Kinds(), kind) {
		t.Fatalf("the spec has no %s", kind)
	}
	if c.Root == "" {
		c.Root = t.TempDir()
	}
	fillTask(task, c.Root)
	fill()
	if err := os.MkdirAll(filepath.Join(c.Root, "datarim"), 0o700); err != nil {
		t.Fatal(err)
	}
	makeFiles(t, c.Root, c.Files)
	res, err := configured(t, spec, c.Settings, func(client *host2plugin.Client) (*Res, error) {
		return method(client, t.Context(), &c.Request)
	})
	judgeError(t, err, c.WantFailure)
	if c.Want != nil && err == nil {
		compare(t, "", res, c.Want)
	}
	judgeFiles(t, c.Root, c.WantFiles)
	return res
}

// configured serves the plugin, hands the settings over and makes a call.
func configured[Res any](t testing.TB, spec *hook.Spec, settings any, call func(*host2plugin.Client) (*Res, error)) (*Res, error) {
	t.Helper()
	var text []byte
	if settings != nil {
		var err error
		if text, err = json.Marshal(settings); err != nil {
			t.Fatalf("the settings: %v", err)
		}
	}
	client := connect(t, spec)
	if _, err := client.Configure(t.Context(), text); err != nil {
		return nil, err
	}
	return call(client)
}

// connect serves the plugin over gRPC, in memory.
func connect(t testing.TB, spec *hook.Spec) *host2plugin.Client {
	t.Helper()
	log := hclog.New(&hclog.LoggerOptions{Name: spec.Name, Level: hclog.Trace, Output: t.Output()})
	listener := bufconn.Listen(1 << 20)
	server := grpc.NewServer(
		grpc.MaxRecvMsgSize(hook.MaxMessageBytes),
		grpc.UnaryInterceptor(func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
			return handler(hclog.WithContext(ctx, log), req)
		}),
	)
	host2plugin.Register(server, spec)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	conn, err := grpc.NewClient("passthrough:memory",
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(hook.MaxMessageBytes)),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = conn.Close()
		server.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return host2plugin.NewClient(conn)
}

// judgeError compares how a call ended. The test ends with a failure that is not
// wanted: what it would look at next is not there.
func judgeError(t testing.TB, err error, want hook.FailureCode) {
	t.Helper()
	failure, reported := errors.AsType[*hook.Failure](err)
	switch {
	case err == nil && want != "":
		t.Errorf("it did not fail; want the failure %q", want)
	case reported && failure.Code == want, err == nil:
	case reported && want == "":
		t.Fatalf("it failed as %q: %s", failure.Code, failure.Message)
	case reported:
		t.Fatalf("it failed as %q, want %q: %s", failure.Code, want, failure.Message)
	default:
		t.Fatalf("the call: %v", err)
	}
}

func makeFiles(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[name]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func judgeFiles(t testing.TB, root string, want map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		switch {
		case err != nil:
			t.Errorf("the file %s: %v", name, err)
		case string(text) != want[name]:
			t.Errorf("the file %s holds\n%s\nwant\n%s", name, text, want[name])
		}
	}
}
