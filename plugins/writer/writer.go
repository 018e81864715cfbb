package writer

import (
	"context"
	"fmt"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/snapshot"
	"github.com/stagehook/stagehook/sdk/workspace"
)

// Settings are the writer's settings.
type Settings struct {
	MaxBytes   int    `json:"max_bytes" jsonschema:"cap of the whole snapshot file in bytes, at most 8192"`
	Truncation string `json:"truncation" jsonschema:"where an answer that is too long is cut: keep-head, at its end; keep-cta, before its CTA block, which stays whole"`
}

// minBytes is the smallest cap: the header alone takes some three hundred bytes.
const minBytes = 512

// The values of Truncation.
const (
	keepHead = "keep-head"
	keepCTA  = "keep-cta"
)

// Validate refuses a cap that no conforming snapshot has, and an unknown
// truncation.
func (s *Settings) Validate() error {
	if s.MaxBytes < minBytes || s.MaxBytes > snapshot.MaxBytes {
		return fmt.Errorf("max_bytes: %d is not between %d and %d", s.MaxBytes, minBytes, snapshot.MaxBytes)
	}
	if s.Truncation != keepHead && s.Truncation != keepCTA {
		return fmt.Errorf("truncation: %q is none of %s, %s", s.Truncation, keepHead, keepCTA)
	}
	return nil
}

// Spec returns the plugin.
func Spec() *sdk.Spec {
	settings := &Settings{MaxBytes: snapshot.MaxBytes, Truncation: keepHead}
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
		KeepCTA:  w.settings.Truncation == keepCTA,
	})
	if err != nil {
		return nil, sdk.FailIO(err)
	}
	warnings := stored.Warnings
	if len(req.Answer.Body) == 0 {
		warnings = append(warnings, "the answer is empty; it is the snapshot now, in place of the last one")
	}
	more, err := store(ctx, req, file)
	if err != nil {
		return nil, sdk.FailIO(err)
	}
	return &sdk.WriteResult{
		Path:      snapshot.Path(req.Task.ID),
		SizeBytes: stored.SizeBytes,
		Truncated: stored.Truncated,
		Warnings:  append(warnings, more...),
	}, nil
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

// store replaces the snapshot under the task's lock. A lock that is not given back
// afterwards undoes nothing, so that is a warning then.
func store(ctx context.Context, req *sdk.WriteRequest, file []byte) (warnings []string, err error) {
	ws, err := workspace.Open(req.Task.Root)
	if err != nil {
		return nil, err
	}
	defer ws.Close()
	lock, err := ws.Lock(ctx, req.Task.ID, req.LockTimeout)
	if err != nil {
		return nil, err
	}
	// The wait may have outlived the caller.
	if err = ctx.Err(); err == nil {
		err = lock.Dir().Replace(snapshot.FileName(req.Task.ID), file)
	}
	unreleased := lock.Release()
	switch {
	case unreleased == nil:
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%w; the lock was not given back: %w", err, unreleased)
	}
	return []string{fmt.Sprintf("the snapshot is stored, but the lock was not given back: %v", unreleased)}, nil
}
