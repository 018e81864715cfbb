package sdk

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// patience is how long a test waits for what must happen.
const patience = 30 * time.Second

// watch returns the calls of a plugin and what it logs.
func watch(t *testing.T) (*calls, *bytes.Buffer) {
	// The first call changes these.
	stdout, stderr := os.Stdout, os.Stderr
	t.Cleanup(func() { os.Stdout, os.Stderr = stdout, stderr })
	log := &bytes.Buffer{}
	return newCalls(hclog.New(&hclog.LoggerOptions{Output: log, Level: hclog.Info})), log
}

var method = &grpc.UnaryServerInfo{FullMethod: "/service/Method"}

func TestCallHasTheLogger(t *testing.T) {
	c, log := watch(t)
	res, err := c.intercept(t.Context(), "request", method, func(ctx context.Context, req any) (any, error) {
		Logger(ctx).Info("hello")
		return req, nil
	})
	if res != "request" || err != nil {
		t.Errorf("the result is %v, error %v", res, err)
	}
	if !strings.Contains(log.String(), "hello") {
		t.Errorf("the log is %q", log)
	}
}

func TestPanicInCallIsAFailure(t *testing.T) {
	c, log := watch(t)
	for _, cause := range []any{"boom", errors.New("boom"), 7} {
		log.Reset()
		res, err := c.intercept(t.Context(), nil, method, func(context.Context, any) (any, error) { panic(cause) })
		if res != nil || status.Code(err) != codes.Internal || !strings.HasPrefix(status.Convert(err).Message(), "panic: ") {
			t.Errorf("%v: the result is %v, error %v", cause, res, err)
		}
		for _, part := range []string{"[ERROR] panic in /service/Method: ", "calls_test.go"} {
			if !strings.Contains(log.String(), part) {
				t.Errorf("%v: the log is without %q: %s", cause, part, log)
			}
		}
	}
	c.finish(patience)
	if strings.Contains(log.String(), "gave up") {
		t.Error("a call that panicked counts as running")
	}
}

// finish ends the context of a call and waits for it.
func TestFinishWaitsForCalls(t *testing.T) {
	c, _ := watch(t)
	begun, tidied := make(chan struct{}), make(chan struct{})
	go c.intercept(t.Context(), nil, method, func(ctx context.Context, _ any) (any, error) {
		close(begun)
		<-ctx.Done()
		close(tidied)
		return nil, ctx.Err()
	})
	<-begun
	c.finish(patience)
	select {
	case <-tidied:
	default:
		t.Error("the call has not ended")
	}
	if _, err := c.intercept(t.Context(), nil, method, nil); status.Code(err) != codes.Unavailable {
		t.Errorf("a call after the end: %v; want Unavailable", err)
	}
}

func TestFinishGivesUp(t *testing.T) {
	c, log := watch(t)
	begun, release, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		c.intercept(t.Context(), nil, method, func(context.Context, any) (any, error) {
			close(begun)
			<-release
			return nil, nil
		})
	}()
	<-begun
	c.finish(10 * time.Millisecond)
	if !strings.Contains(log.String(), "gave up waiting for a call to end") {
		t.Errorf("the log is %q", log)
	}
	close(release)
	<-done
}
