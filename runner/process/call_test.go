//go:build unix

package process

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

var task = hook.Task{Root: "/root-of-a-workspace", ID: "TUNE-0254"}

// render calls the behaviour of the plugin.
func render(ctx context.Context, p *Process, limit time.Duration) (string, error) {
	req := &hook.RenderRequest{Task: task, Snapshot: &snapshot.Snapshot{CapturedAt: time.Unix(0, 0)}}
	res, err := Call(ctx, p, limit, p.Client().Render, req)
	if err != nil {
		return "", err
	}
	return string(res.Prompt), nil
}

func wantPrompt(t testing.TB, p *Process, want string) {
	t.Helper()
	if got, err := render(t.Context(), p, patience); err != nil || got != want {
		t.Errorf("the prompt is %q, error %v; want %q", got, err, want)
	}
}

func TestGoodPlugin(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	for name, mtls := range map[string]bool{"plain": false, "mutual TLS": true} {
		t.Run(name, func(t *testing.T) {
			command := as("plugin", "good")
			command.Settings, command.MTLS = []byte(`{"depth":7}`), mtls
			p := mustStart(t, openPool(t), command)
			wantPrompt(t, p, "prompt")

			res, err := Call(t.Context(), p, patience, p.Client().Revalidate, &hook.RevalidateRequest{Task: task})
			if err != nil || res.Refusals[0].Detail != "7" {
				t.Errorf("the setting is %+v, error %v; want 7", res, err)
			}
			if p.PID() <= 0 || p.StartTime() <= 0 {
				t.Errorf("PID %d, started in %v", p.PID(), p.StartTime())
			}
			for _, kind := range hook.Kinds() {
				serves := kind == hook.KindRenderer || kind == hook.KindRevalidator || kind == hook.KindObserver
				if p.Serves(kind) != serves {
					t.Errorf("Serves(%s) is %t", kind, !serves)
				}
			}
		})
	}
}

// A plugin that does not know of certificates cannot be asked for mutual TLS.
func TestMutualTLSWithoutCertificate(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	command := script(t, `echo '1|1|unix|/nowhere/socket|grpc'; exec sleep 300`)
	command.MTLS = true
	wantError(t, failStart(t, openPool(t), command), `sent no certificate for mutual TLS`)
}

// A failure that the plugin reports keeps its meaning.
func TestReportedFailure(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	p := mustStart(t, openPool(t), as("plugin", "good"))
	_, err := Call(t.Context(), p, patience, func(ctx context.Context, req *hook.ObserveRequest) (*struct{}, error) {
		return nil, p.Client().Observe(ctx, req)
	}, &hook.ObserveRequest{Task: task})
	var failure *hook.Failure
	if !errors.As(err, &failure) || *failure != (hook.Failure{Code: hook.FailureIO, Message: "no space left", Hint: "buy a disk"}) {
		t.Errorf("error is %#v", err)
	}
}

// TestFailingCalls makes calls that fail for reasons of the plugin.
func TestFailingCalls(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	const hasty = 2 * time.Second // the call must come to the plugin
	tests := map[string]struct {
		limit time.Duration
		want  string
		lives bool // the process can take another call
	}{
		"panic":      {patience, `failed: panic: out of cheese`, true},
		"overdue":    {patience, `failed: policy server: context deadline exceeded`, true},
		"big":        {patience, `sent or was sent a message of more than 32 MiB`, true},
		"fatal":      {patience, `crashed: exited with status 2: fatal error: sync: unlock of unlocked mutex`, false},
		"crash":      {patience, `crashed: exited with status 2: panic: out of`, false},
		"exit":       {patience, `crashed: exited with status 3: on standard output \| out of cheese`, false},
		"kill":       {patience, `crashed: ended by signal: killed`, false},
		"disconnect": {patience, `closed the connection`, false},
		"terminate":  {patience, `ended before it answered|closed the connection`, false},
		"stop":       {hasty, `did not answer within 2s`, false},
		"defect":     {hasty, `did not answer within 2s`, false},
		"tidy":       {hasty, `did not answer within 2s`, false},
	}
	t.Run("all", func(t *testing.T) {
		for behaviour, test := range tests {
			t.Run(behaviour, func(t *testing.T) {
				t.Parallel()
				marker := filepath.Join(t.TempDir(), "call")
				pool, command := openPool(t), as("plugin", behaviour, marker)
				p := mustStart(t, pool, command)
				_, err := render(t.Context(), p, test.limit)
				wantError(t, err, test.want)
				if behaviour == "tidy" || behaviour == "terminate" {
					wait(t, "the plugin to tidy up", func() bool { return exists(marker + ".ended") })
				}
				if again := mustStart(t, pool, command); (again == p) != test.lives {
					t.Errorf("the next call gets the same process: %t; want %t", !test.lives, test.lives)
				}
			})
		}
	})
}

func TestCallOfUnservedKind(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	p := mustStart(t, openPool(t), as("plugin", "good"))
	_, err := Call(t.Context(), p, patience, p.Client().Archive, &hook.ArchiveRequest{Task: task})
	wantError(t, err, `does not serve this call`)
	wantPrompt(t, p, "prompt")
}

// gRPC's own limit is 4 MB, far below what a stage may end with.
func TestRequestSize(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	p := mustStart(t, openPool(t), as("plugin", "good"))
	for size, want := range map[int]string{
		hook.MaxMessageBytes - 4096: "",
		hook.MaxMessageBytes:        `sent or was sent a message of more than 32 MiB`,
	} {
		req := &hook.RenderRequest{Task: task, Snapshot: &snapshot.Snapshot{CapturedAt: time.Unix(0, 0), Body: make([]byte, size)}}
		_, err := Call(t.Context(), p, patience, p.Client().Render, req)
		if want != "" {
			wantError(t, err, want)
		} else if err != nil {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	wantPrompt(t, p, "prompt")
}

// A caller that cancels gets its context's error, and the process stays.
func TestCallerCancels(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	marker := filepath.Join(t.TempDir(), "call")
	pool, command := openPool(t), as("plugin", "tidy", marker)
	p := mustStart(t, pool, command)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	failed := make(chan error)
	go func() {
		_, err := render(ctx, p, patience)
		failed <- err
	}()
	wait(t, "the call", func() bool { return exists(marker + ".begun") })
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v; want %v", err, context.Canceled)
	}
	wait(t, "the plugin to tidy up", func() bool { return exists(marker + ".ended") })
	if mustStart(t, pool, command) != p {
		t.Error("the process was replaced")
	}
}

// What a plugin prints in a call neither blocks it nor fails the call.
func TestPrintingInACall(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	t.Run("all", func(t *testing.T) {
		for _, where := range []string{"1", "2", "os.Stdout", "os.Stderr"} {
			t.Run(where, func(t *testing.T) {
				t.Parallel()
				log := &logSink{}
				command := as("plugin", "print", where)
				command.Log = log.logger()
				wantPrompt(t, mustStart(t, openPool(t), command), "printed")
				wait(t, "the last line in the log", func() bool {
					return strings.Contains(log.String(), "[DEBUG] the last line\n")
				})
			})
		}
	})
}
