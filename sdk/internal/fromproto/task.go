package fromproto

import (
	"errors"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

// Task is what every request names. Absent rules are the defaults.
func Task(m *proto.Task) (hook.Task, error) {
	if m == nil {
		return hook.Task{}, errors.New("task: missing")
	}
	rules := m.GetRules()
	return hook.Task{
		Root:      m.GetRoot(),
		ID:        m.GetId(),
		SessionID: m.GetSessionId(),
		Rules: hook.Rules{
			Rules: identity.Rules{
				TaskIDPattern: rules.GetTaskIdPattern(),
				Stages:        rules.GetStages(),
			},
			Marker: rules.GetMarker(),
		},
	}, nil
}
