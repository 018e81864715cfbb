package sdktest

import (
	"cmp"
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/host2plugin"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// Writer makes the case's call of the plugin's writer, reports to t what is not as
// wanted, and returns the answer. It is nil only after a wanted failure; one that is
// not wanted ends the test. So do the functions of the other kinds. The spec must not
// have been used before: the settings are decoded into it.
func Writer(t testing.TB, spec *hook.Spec, c WriterCase) *hook.WriteResult {
	t.Helper()
	return run(t, spec, hook.KindWriter, &c, &c.Request.Task, (*host2plugin.Client).Write, func() {
		c.Request.LockTimeout = cmp.Or(c.Request.LockTimeout, lockTimeout)
		if reflect.ValueOf(c.Request.Answer).IsZero() {
			c.Request.Answer = Answer()
		}
	})
}

// Validator makes the case's call of the plugin's validator, as [Writer] does. The
// level is strict when the request has none.
func Validator(t testing.TB, spec *hook.Spec, c ValidatorCase) *hook.ValidateResult {
	t.Helper()
	return run(t, spec, hook.KindValidator, &c, &c.Request.Task, (*host2plugin.Client).Validate, func() {
		c.Request.Level = cmp.Or(c.Request.Level, snapshot.LevelStrict)
	})
}

// Revalidator makes the case's call of the plugin's revalidator, as [Writer] does.
// The request has no snapshot when the case gives none, as for a task without one.
func Revalidator(t testing.TB, spec *hook.Spec, c RevalidatorCase) *hook.RevalidateResult {
	t.Helper()
	return run(t, spec, hook.KindRevalidator, &c, &c.Request.Task, (*host2plugin.Client).Revalidate, func() {})
}

// Renderer makes the case's call of the plugin's renderer, as [Writer] does.
func Renderer(t testing.TB, spec *hook.Spec, c RendererCase) *hook.RenderResult {
	t.Helper()
	return run(t, spec, hook.KindRenderer, &c, &c.Request.Task, (*host2plugin.Client).Render, func() {
		c.Request.Snapshot = cmp.Or(c.Request.Snapshot, Snapshot())
	})
}

// Archiver makes the case's call of the plugin's archiver, as [Writer] does. The
// event is "archive" when the request has none.
func Archiver(t testing.TB, spec *hook.Spec, c ArchiverCase) *hook.ArchiveResult {
	t.Helper()
	return run(t, spec, hook.KindArchiver, &c, &c.Request.Task, (*host2plugin.Client).Archive, func() {
		c.Request.Event = cmp.Or(c.Request.Event, "archive")
		c.Request.LockTimeout = cmp.Or(c.Request.LockTimeout, lockTimeout)
	})
}

// Observer makes the case's call of the plugin's observer, as [Writer] does. The
// event is a "stage-exit" that is "done" when the request says nothing else.
func Observer(t testing.TB, spec *hook.Spec, c ObserverCase) {
	t.Helper()
	observe := func(client *host2plugin.Client, ctx context.Context, req *hook.ObserveRequest) (*struct{}, error) {
		return &struct{}{}, client.Observe(ctx, req)
	}
	run(t, spec, hook.KindObserver, &c, &c.Request.Task, observe, func() {
		c.Request.Event = cmp.Or(c.Request.Event, "stage-exit")
		c.Request.Result = cmp.Or(c.Request.Result, "done")
		if c.Request.Started.IsZero() {
			c.Request.Started = time.Now().UTC()
		}
	})
}
