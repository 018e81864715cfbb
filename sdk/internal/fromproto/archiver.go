package fromproto

import (
	"errors"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

// ArchiveRequest is a call's request to an archiver.
func ArchiveRequest(m *proto.ArchiveRequest) (*hook.ArchiveRequest, error) {
	task, err := Task(m.GetTask())
	if err != nil {
		return nil, err
	}
	lockTimeout, err := duration("lock_timeout", m.GetLockTimeout())
	if err != nil {
		return nil, err
	}
	return &hook.ArchiveRequest{Task: task, Event: m.GetEvent(), LockTimeout: lockTimeout}, nil
}

// ArchiveResult is an archiver's answer. An empty message says that there was
// nothing to move.
func ArchiveResult(m *proto.ArchiveResponse) (*hook.ArchiveResult, error) {
	if m.GetArchived() && m.GetPath() == "" {
		return nil, errors.New("path: missing")
	}
	return &hook.ArchiveResult{
		Archived: m.GetArchived(),
		Path:     m.GetPath(),
		Warnings: m.GetWarnings(),
	}, nil
}
