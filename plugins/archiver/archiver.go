package archiver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

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

// Validate refuses areas that are no folder names.
func (s *Settings) Validate() error {
	for prefix, area := range s.Areas {
		if !areaForm().MatchString(area) {
			return fmt.Errorf("areas: %s: %w", prefix, badArea(area))
		}
	}
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

// Archive moves the snapshot under the task's lock.
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
	area, warnings, err := areaOf(req.Task.ID, a.settings.Areas, ws.Root())
	if err != nil {
		return nil, sdk.FailIO(err)
	}
	res, err := a.move(ctx, ws, req, area)
	if err != nil {
		return nil, sdk.FailIO(err)
	}
	res.Warnings = warnings
	return res, nil
}

func (a *archiver) move(ctx context.Context, ws *workspace.Workspace, req *sdk.ArchiveRequest, area string) (res *sdk.ArchiveResult, err error) {
	lock, err := ws.Lock(ctx, req.Task.ID, req.LockTimeout)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()

	path := "documentation/archive/" + area + "/snapshots"
	target, err := ws.MakeDir(path, 0o755)
	if err != nil {
		return nil, err
	}
	defer target.Close()

	for n := 1; ; n++ {
		name := archivedName(req.Task.ID, n)
		err := lock.Dir().Move(snapshot.FileName(req.Task.ID), target, name)
		var taken *workspace.ExistsError
		switch {
		case err == nil:
			return &sdk.ArchiveResult{Archived: true, Path: path + "/" + name}, nil
		case errors.Is(err, fs.ErrNotExist):
			return &sdk.ArchiveResult{}, nil // archived by another process meanwhile
		case errors.As(err, &taken) && a.keepBoth(req.Event):
			continue
		case errors.As(err, &taken):
			return nil, &sdk.Failure{
				Code:    sdk.FailureIO,
				Message: taken.Error(),
				Hint:    "move that file away, or set on_conflict: keep-both in the archiver's settings",
			}
		default:
			return nil, err
		}
	}
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

// archivedName is the name of the n-th snapshot of a task in the archive.
func archivedName(taskID string, n int) string {
	if n == 1 {
		return taskID + "-final-stage.md"
	}
	return fmt.Sprintf("%s-final-stage.%d.md", taskID, n)
}
