package fromproto

import (
	"errors"
	"fmt"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

// WriteRequest is a call's request to a writer.
func WriteRequest(m *proto.WriteRequest) (*hook.WriteRequest, error) {
	task, err := Task(m.GetTask())
	if err != nil {
		return nil, err
	}
	answer, err := answer(m.GetAnswer())
	if err != nil {
		return nil, err
	}
	lockTimeout, err := duration("lock_timeout", m.GetLockTimeout())
	if err != nil {
		return nil, err
	}
	return &hook.WriteRequest{Task: task, Answer: answer, LockTimeout: lockTimeout}, nil
}

func answer(m *proto.Answer) (hook.Answer, error) {
	if m == nil {
		return hook.Answer{}, errors.New("answer: missing")
	}
	capturedAt, err := timestamp("captured_at", m.GetCapturedAt())
	if err != nil {
		return hook.Answer{}, fmt.Errorf("answer: %w", err)
	}
	return hook.Answer{
		Stage:           m.GetStage(),
		Command:         m.GetCommand(),
		CapturedAt:      capturedAt,
		CapturedBy:      m.GetCapturedBy(),
		RecommendedNext: m.GetRecommendedNext(),
		Options:         m.GetOptions(),
		Body:            m.GetBody(),
	}, nil
}

// WriteResult is a writer's answer. An empty message is none: it does not say
// that anything was stored.
func WriteResult(m *proto.WriteResponse) (*hook.WriteResult, error) {
	if m.GetPath() == "" {
		return nil, errors.New("path: missing")
	}
	size, err := number("size_bytes", m.GetSizeBytes())
	if err != nil {
		return nil, err
	}
	return &hook.WriteResult{
		Path:      m.GetPath(),
		SizeBytes: size,
		Truncated: m.GetTruncated(),
		Warnings:  m.GetWarnings(),
	}, nil
}
