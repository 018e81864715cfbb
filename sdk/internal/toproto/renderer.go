package toproto

import (
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

// RenderRequest is a call's request to a renderer.
func RenderRequest(req *hook.RenderRequest) *proto.RenderRequest {
	return &proto.RenderRequest{
		Task:     Task(req.Task),
		Snapshot: Snapshot(req.Snapshot),
		Session:  Session(req.Session),
		Route:    route(req.Route),
	}
}

// RenderResult is a renderer's answer.
func RenderResult(res *hook.RenderResult) *proto.RenderResponse {
	return &proto.RenderResponse{Command: res.Command, Purpose: res.Purpose, Prompt: res.Prompt}
}
