package fromproto

import (
	"fmt"

	"github.com/stagehook/stagehook/sdk/internal/proto"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// Session is nil for nil: who needs a session checks.
func Session(m *proto.Session) (*snapshot.Session, error) {
	if m == nil {
		return nil, nil
	}
	capturedAt, err := timestamp("captured_at", m.GetCapturedAt())
	if err != nil {
		return nil, fmt.Errorf("session: %w", err)
	}
	return &snapshot.Session{
		SessionID:       m.GetSessionId(),
		CapturedAt:      capturedAt,
		CapturedBy:      m.GetCapturedBy(),
		RecommendedNext: m.GetRecommendedNext(),
		NextAction:      m.GetNextAction(),
		ActiveTasks:     m.GetActiveTasks(),
		Body:            m.GetBody(),
	}, nil
}
