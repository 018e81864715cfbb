package toproto

import (
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

// Task is what every request names.
func Task(task hook.Task) *proto.Task {
	return &proto.Task{
		Root:      task.Root,
		Id:        task.ID,
		SessionId: task.SessionID,
		Rules: &proto.Rules{
			TaskIdPattern: task.Rules.TaskIDPattern,
			Stages:        task.Rules.Stages,
			Marker:        task.Rules.Marker,
		},
	}
}
