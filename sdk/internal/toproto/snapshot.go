package toproto

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/stagehook/stagehook/sdk/internal/proto"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// Snapshot is nil for nil, the task without a snapshot.
func Snapshot(s *snapshot.Snapshot) *proto.Snapshot {
	if s == nil {
		return nil
	}
	return &proto.Snapshot{
		TaskId:          s.TaskID,
		Stage:           s.Stage,
		Command:         s.Command,
		CapturedAt:      timestamppb.New(s.CapturedAt),
		CapturedBy:      s.CapturedBy,
		RecommendedNext: s.RecommendedNext,
		Options:         s.Options,
		SizeBytes:       int64(s.SizeBytes),
		Truncated:       s.Truncated,
		Body:            s.Body,
	}
}
