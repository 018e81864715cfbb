package sdk

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/toproto"
)

// calls watches the calls that a plugin is in, since the gRPC server is stopped
// without waiting for them: a writer must drop its lock before the process ends.
type calls struct {
	log    hclog.Logger
	base   context.Context
	cancel context.CancelFunc
	// running is held for reading by every call.
	running sync.RWMutex

	stderr  *os.File
	restore sync.Once
}

func newCalls(log hclog.Logger) *calls {
	base, cancel := context.WithCancel(context.Background())
	return &calls{log: log, base: base, cancel: cancel, stderr: os.Stderr}
}

// intercept gives each call a context that also ends with the process, the
// logger, and a net for panics.
func (c *calls) intercept(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (res any, err error) {
	if !c.running.TryRLock() {
		return nil, status.Error(codes.Unavailable, "the plugin is ending")
	}
	defer c.running.RUnlock()
	// go-plugin has replaced both by pipes whose last lines are lost when the
	// process crashes, just when they matter. The host reads standard error.
	c.restore.Do(func() { os.Stdout, os.Stderr = c.stderr, c.stderr })

	ctx, cancel := context.WithCancel(hclog.WithContext(ctx, c.log))
	defer cancel()
	defer context.AfterFunc(c.base, cancel)()

	defer func() {
		if cause := recover(); cause != nil {
			c.log.Error("panic in "+info.FullMethod, "error", fmt.Sprint(cause), "stack", string(debug.Stack()))
			res, err = nil, toproto.Failure(hook.Failf(hook.FailureInternal, "panic: %v", cause))
		}
	}()
	return handler(ctx, req)
}

// finish ends the calls' contexts and waits for the calls, but not for longer
// than grace.
func (c *calls) finish(grace time.Duration) {
	c.cancel()
	idle := make(chan struct{})
	go func() {
		c.running.Lock()
		close(idle)
	}()
	select {
	case <-idle:
	case <-time.After(grace):
		c.log.Error("gave up waiting for a call to end", "grace", grace)
	}
}
