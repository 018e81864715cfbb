package exec

import (
	"context"
	"time"

	"github.com/stagehook/stagehook/sdk"
)

type observeJSON struct {
	Schema    string     `json:"schema"`               // stagehook.observe/1
	TaskID    string     `json:"task_id"`              // empty for a session
	SessionID string     `json:"session_id,omitempty"` // set for a session
	Root      string     `json:"root"`
	Event     string     `json:"event"`
	Result    string     `json:"result"`
	Detail    string     `json:"detail,omitempty"`
	Started   string     `json:"started"`
	ElapsedMS float64    `json:"elapsed_ms"`
	Steps     []stepJSON `json:"steps"`
}

type stepJSON struct {
	Kind    string  `json:"kind"`
	Plugin  string  `json:"plugin"`
	StartMS float64 `json:"start_ms"`
	CallMS  float64 `json:"call_ms"`
	Skipped string  `json:"skipped,omitempty"`
	Failed  string  `json:"failed,omitempty"`
}

// Observe tells the program. What it prints does not matter; an exit code other
// than 0 is a failure.
func (p *plugin) Observe(ctx context.Context, req *sdk.ObserveRequest) error {
	input := &observeJSON{
		Schema:    "stagehook.observe/1",
		TaskID:    req.Task.ID,
		SessionID: req.Task.SessionID,
		Root:      req.Task.Root,
		Event:     req.Event,
		Result:    req.Result,
		Detail:    req.Detail,
		Started:   req.Started.UTC().Format(time.RFC3339Nano),
		ElapsedMS: milliseconds(req.Elapsed),
		Steps:     []stepJSON{},
	}
	for _, step := range req.Steps {
		input.Steps = append(input.Steps, stepJSON{
			Kind:    string(step.Kind),
			Plugin:  step.Plugin,
			StartMS: milliseconds(step.Start),
			CallMS:  milliseconds(step.Call),
			Skipped: step.Skipped,
			Failed:  step.Failed,
		})
	}
	return p.run(ctx, req.Task, input, nil)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
