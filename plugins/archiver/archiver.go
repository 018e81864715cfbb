package archiver

import (
	"context"
	"fmt"
	"strings"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/snapshot"
	"github.com/stagehook/stagehook/sdk/workspace"
)

// What to do when the archive holds another snapshot of the task.
const (
	conflictRefuse   = "refuse"
	conflictKeepBoth = "keep-both"
)

// Settings are the archiver's settings.
type Settings struct {
	Areas      map[string]string `json:"areas" jsonschema:"area of a task ID's prefix, beyond the reserved ones"`
	OnConflict string            `json:"on_conflict" jsonschema:"refuse or keep-both, when the archive holds another snapshot of the task; empty means keep-both after a stage exit and refuse otherwise"`
}

// Validate refuses an unknown way out of a conflict. The areas are judged when one
// of them is used, like those of a registry.
func (s *Settings) Validate() error {
	switch s.OnConflict {
	case "", conflictRefuse, conflictKeepBoth:
		return nil
	}
	return fmt.Errorf("on_conflict: %q is none of %s, %s", s.OnConflict, conflictRefuse, conflictKeepBoth)
}

// Spec returns the plugin.
func Spec() *sdk.Spec {
	settings := &Settings{}
	return &sdk.Spec{
		Name:      "archiver",
		Version:   sdk.Version,
		Settings:  settings,
		Stateless: true,
		Archiver:  &archiver{settings: settings},
	}
}

type archiver struct{ settings *Settings }

// Archive moves the snapshot to where its task's area says.
func (a *archiver) Archive(ctx context.Context, req *sdk.ArchiveRequest) (*sdk.ArchiveResult, error) {
	ws, err := workspace.Open(req.Task.Root)
	if err != nil {
		return nil, sdk.FailIO(err)
	}
	defer ws.Close()
	// Asked before the lock is taken, since taking it makes a folder.
	if exists, err := ws.Exists(snapshot.Path(req.Task.ID)); err != nil || !exists {
		return &sdk.ArchiveResult{}, sdk.FailIO(err)
	}
	prefix, _, _ := strings.Cut(req.Task.ID, "-")
	area, warnings, err := areaOf(prefix, a.settings.Areas, ws.Root())
	if err != nil {
		return nil, sdk.FailIO(err)
	}
	res, err := a.archive(ctx, ws, req, area)
	if err != nil {
		return nil, sdk.FailIO(err)
	}
	res.Warnings = append(warnings, res.Warnings...)
	return res, nil
}

// archive moves the snapshot under the task's lock. A lock that is not given back
// afterwards undoes nothing, so that is a warning then.
func (a *archiver) archive(ctx context.Context, ws *workspace.Workspace, req *sdk.ArchiveRequest, area string) (*sdk.ArchiveResult, error) {
	lock, err := ws.Lock(ctx, req.Task.ID, req.LockTimeout)
	if err != nil {
		return nil, err
	}
	m := &mover{workspace: ws, from: lock.Dir(), taskID: req.Task.ID, keepBoth: a.keepBoth(req.Event)}
	res, err := m.move(ctx, "documentation/archive/"+area+"/snapshots")
	unreleased := lock.Release()
	switch {
	case unreleased == nil:
		return res, err
	case err != nil:
		return nil, fmt.Errorf("%w; the lock was not given back: %w", err, unreleased)
	}
	res.Warnings = append(res.Warnings, fmt.Sprintf("the snapshot is archived, but the lock was not given back: %v", unreleased))
	return res, nil
}

// keepBoth reports whether another snapshot in the archive is left beside the
// new one. After a stage exit it is: the answer is stored already, and nobody is
// there to decide.
func (a *archiver) keepBoth(event string) bool {
	if a.settings.OnConflict == "" {
		return event == "stage-exit"
	}
	return a.settings.OnConflict == conflictKeepBoth
}
