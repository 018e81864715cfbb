package writer

import (
	"context"
	"errors"
	"fmt"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/snapshot"
	"github.com/stagehook/stagehook/sdk/workspace"
)

// Settings are the writer's settings.
type Settings struct {
	MaxBytes int `json:"max_bytes" jsonschema:"cap of the whole snapshot file in bytes, at most 8192"`
}

// minBytes is the smallest cap: the header alone takes some three hundred bytes.
const minBytes = 512

// Validate refuses a cap that no conforming snapshot has.
func (s *Settings) Validate() error {
	if s.MaxBytes < minBytes || s.MaxBytes > snapshot.MaxBytes {
		return fmt.Errorf("max_bytes: %d is not between %d and %d", s.MaxBytes, minBytes, snapshot.MaxBytes)
	}
	return nil
}

// Spec returns the plugin.
func Spec() *sdk.Spec {
	settings := &Settings{MaxBytes: snapshot.MaxBytes}
	return &sdk.Spec{
		Name:      "snapshot-writer",
		Version:   sdk.Version,
		Settings:  settings,
		Stateless: true,
		Writer:    &writer{settings: settings},
	}
}

type writer struct{ settings *Settings }

// Write renders the snapshot and replaces the old one by it.
func (w *writer) Write(ctx context.Context, req *sdk.WriteRequest) (*sdk.WriteResult, error) {
	file, stored, err := snapshot.Render(snapshotOf(req), snapshot.RenderOptions{
		MaxBytes: w.settings.MaxBytes,
		Marker:   req.Task.Rules.Marker,
	})
	if err != nil {
		return nil, sdk.FailIO(err)
	}
	if err := store(ctx, req, file); err != nil {
		return nil, sdk.FailIO(err)
	}
	res := &sdk.WriteResult{
		Path:      snapshot.Path(req.Task.ID),
		SizeBytes: stored.SizeBytes,
		Truncated: stored.Truncated,
	}
	if _, changed := snapshot.CleanBody(req.Answer.Body); changed {
		res.Warnings = append(res.Warnings, "the body held invalid UTF-8 or NUL; replaced by U+FFFD")
	}
	if len(req.Answer.Body) == 0 {
		res.Warnings = append(res.Warnings, "the answer is empty; the snapshot holds nothing to resume from")
	}
	return res, nil
}

func snapshotOf(req *sdk.WriteRequest) sdk.Snapshot {
	return sdk.Snapshot{
		TaskID:          req.Task.ID,
		Stage:           req.Answer.Stage,
		Command:         req.Answer.Command,
		CapturedAt:      req.Answer.CapturedAt,
		CapturedBy:      req.Answer.CapturedBy,
		RecommendedNext: req.Answer.RecommendedNext,
		Options:         req.Answer.Options,
		Body:            req.Answer.Body,
	}
}

// store publishes the file under the task's lock.
func store(ctx context.Context, req *sdk.WriteRequest, file []byte) (err error) {
	ws, err := workspace.Open(req.Task.Root)
	if err != nil {
		return err
	}
	defer ws.Close()
	lock, err := ws.Lock(ctx, req.Task.ID, req.LockTimeout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	// The wait may have outlived the caller.
	if err := ctx.Err(); err != nil {
		return err
	}
	return lock.Dir().Replace(snapshot.FileName(req.Task.ID), file)
}
