package fromproto

import (
	"errors"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

// RenderRequest is a call's request to a renderer.
func RenderRequest(m *proto.RenderRequest) (*hook.RenderRequest, error) {
	task, err := Task(m.GetTask())
	if err != nil {
		return nil, err
	}
	snapshot, err := Snapshot(m.GetSnapshot())
	if err != nil {
		return nil, err
	}
	session, err := Session(m.GetSession())
	if err != nil {
		return nil, err
	}
	if (snapshot == nil) == (session == nil) {
		return nil, errors.New("snapshot, session: one of them must be set")
	}
	route, err := route(m.GetRoute())
	if err != nil {
		return nil, err
	}
	return &hook.RenderRequest{Task: task, Snapshot: snapshot, Session: session, Route: route}, nil
}

// RenderResult is a renderer's answer. An empty message is none: an agent would
// go on without a prompt.
func RenderResult(m *proto.RenderResponse) (*hook.RenderResult, error) {
	switch {
	case m.GetCommand() == "":
		return nil, errors.New("command: missing")
	case len(m.GetPrompt()) == 0:
		return nil, errors.New("prompt: missing")
	}
	return &hook.RenderResult{Command: m.GetCommand(), Purpose: m.GetPurpose(), Prompt: m.GetPrompt()}, nil
}
