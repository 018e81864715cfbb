package fromproto

import (
	"fmt"

	"github.com/stagehook/stagehook/sdk/internal/proto"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// Snapshot is nil for nil: who needs a snapshot checks.
func Snapshot(m *proto.Snapshot) (*snapshot.Snapshot, error) {
	if m == nil {
		return nil, nil
	}
	capturedAt, err := timestamp("captured_at", m.GetCapturedAt())
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	size, err := number("size_bytes", m.GetSizeBytes())
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	return &snapshot.Snapshot{
		TaskID:          m.GetTaskId(),
		Stage:           m.GetStage(),
		Command:         m.GetCommand(),
		CapturedAt:      capturedAt,
		CapturedBy:      m.GetCapturedBy(),
		RecommendedNext: m.GetRecommendedNext(),
		Options:         m.GetOptions(),
		SizeBytes:       size,
		Truncated:       m.GetTruncated(),
		Body:            m.GetBody(),
	}, nil
}
