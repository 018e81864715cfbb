package toproto

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/stagehook/stagehook/sdk/internal/proto"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// Session is nil for nil, when a task is resumed.
func Session(s *snapshot.Session) *proto.Session {
	if s == nil {
		return nil
	}
	return &proto.Session{
		SessionId:       s.SessionID,
		CapturedAt:      timestamppb.New(s.CapturedAt),
		CapturedBy:      s.CapturedBy,
		RecommendedNext: s.RecommendedNext,
		NextAction:      s.NextAction,
		ActiveTasks:     s.ActiveTasks,
		Body:            s.Body,
	}
}
