package toproto

import (
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

// WriteRequest is a call's request to a writer.
func WriteRequest(req *hook.WriteRequest) *proto.WriteRequest {
	return &proto.WriteRequest{
		Task: Task(req.Task),
		Answer: &proto.Answer{
			Stage:           req.Answer.Stage,
			Command:         req.Answer.Command,
			CapturedAt:      timestamppb.New(req.Answer.CapturedAt),
			CapturedBy:      req.Answer.CapturedBy,
			RecommendedNext: req.Answer.RecommendedNext,
			Options:         req.Answer.Options,
			Body:            req.Answer.Body,
		},
		LockTimeout: durationpb.New(req.LockTimeout),
	}
}

// WriteResult is a writer's answer.
func WriteResult(res *hook.WriteResult) *proto.WriteResponse {
	return &proto.WriteResponse{
		Path:      res.Path,
		SizeBytes: int64(res.SizeBytes),
		Truncated: res.Truncated,
		Warnings:  lines(res.Warnings),
	}
}
