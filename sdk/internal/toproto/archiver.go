package toproto

import (
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

// ArchiveRequest is a call's request to an archiver.
func ArchiveRequest(req *hook.ArchiveRequest) *proto.ArchiveRequest {
	return &proto.ArchiveRequest{
		Task:        Task(req.Task),
		Event:       req.Event,
		LockTimeout: durationpb.New(req.LockTimeout),
	}
}

// ArchiveResult is an archiver's answer.
func ArchiveResult(res *hook.ArchiveResult) *proto.ArchiveResponse {
	return &proto.ArchiveResponse{
		Archived: res.Archived,
		Path:     res.Path,
		Warnings: lines(res.Warnings),
	}
}
