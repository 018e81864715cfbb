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

// folderPerm is the mode of folders that the archive lacks. They are part of a
// project's documentation, unlike datarim/snapshots; the snapshots in them stay
// private.
const folderPerm = 0o755

// mover moves the snapshot of one task, whose lock its owner holds.
type mover struct {
	workspace *workspace.Workspace
	from      *workspace.Dir // datarim/snapshots
	taskID    string
	keepBoth  bool
}

// move moves the snapshot into the folder path, which is made when it is missing.
func (m *mover) move(ctx context.Context, path string) (*sdk.ArchiveResult, error) {
	target, err := m.workspace.MakeDir(path, folderPerm)
	if err != nil {
		return nil, err
	}
	defer target.Close()

	for n := 1; ; n++ {
		// The wait for the lock, or this search, may have outlived the caller.
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		name := archivedName(m.taskID, n)
		err := m.from.Move(snapshot.FileName(m.taskID), target, name)
		var taken *workspace.ExistsError
		switch {
		case err == nil:
			return &sdk.ArchiveResult{Archived: true, Path: path + "/" + name}, nil
		case errors.Is(err, fs.ErrNotExist):
			return m.gone(err)
		case !errors.As(err, &taken):
			return nil, err
		case !m.keepBoth:
			return nil, &sdk.Failure{
				Code:    sdk.FailureIO,
				Message: taken.Error(),
				Hint:    "move that file away, or set on_conflict: keep-both in the archiver's settings",
			}
		}
	}
}

// gone tells a snapshot that another process has archived meanwhile from a
// target folder that was removed.
func (m *mover) gone(err error) (*sdk.ArchiveResult, error) {
	exists, lookErr := m.workspace.Exists(snapshot.Path(m.taskID))
	if exists || lookErr != nil {
		return nil, err
	}
	return &sdk.ArchiveResult{}, nil
}

// archivedName is the name of the n-th snapshot of a task in the archive.
func archivedName(taskID string, n int) string {
	if n == 1 {
		return taskID + "-final-stage.md"
	}
	return fmt.Sprintf("%s-final-stage.%d.md", taskID, n)
}
