// Journal is an observer that keeps one JSON line for each event in a file of the
// workspace. Any number of processes may append at once: a line is written by one
// call, behind whatever is there. Readers skip a line that is no JSON, such as one
// that a full disk has cut short.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/stagehook/stagehook/sdk"
)

func main() { os.Exit(sdk.Serve(spec())) }

func spec() *sdk.Spec {
	j := &journal{File: "journal.jsonl"}
	return &sdk.Spec{Name: "journal", Version: "1.0.0", Settings: j, Stateless: true, Observer: j}
}

// journal holds the plugin's settings, which begin with their defaults.
type journal struct {
	File string `json:"file" jsonschema:"name of the journal in datarim/; ends in .jsonl"`
}

// Validate refuses what could be another place or another program's file.
func (j *journal) Validate() error {
	if !strings.HasSuffix(j.File, ".jsonl") || strings.ContainsAny(j.File, `/\:`) {
		return errors.New("file: must be a name, without a path, that ends in .jsonl")
	}
	return nil
}

// line is what is kept of an event. It holds nothing of an answer's text.
type line struct {
	Time      string   `json:"time"` // when the event began, RFC 3339, UTC
	TaskID    string   `json:"task_id,omitempty"`
	SessionID string   `json:"session_id,omitempty"`
	Event     string   `json:"event"`
	Result    string   `json:"result"`
	Detail    string   `json:"detail,omitempty"`
	ElapsedMS float64  `json:"elapsed_ms"`
	Failed    []string `json:"failed,omitempty"` // plugins whose step failed
}

// Observe appends the event's line.
func (j *journal) Observe(_ context.Context, req *sdk.ObserveRequest) error {
	entry := line{
		Time:      req.Started.UTC().Format(time.RFC3339Nano),
		TaskID:    req.Task.ID,
		SessionID: req.Task.SessionID,
		Event:     req.Event,
		Result:    req.Result,
		Detail:    req.Detail,
		ElapsedMS: float64(req.Elapsed.Microseconds()) / 1000,
	}
	for _, step := range req.Steps {
		if step.Failed != "" {
			entry.Failed = append(entry.Failed, step.Plugin)
		}
	}
	text, err := json.Marshal(entry) // escapes line ends
	if err != nil {
		return err
	}
	return sdk.FailIO(appendTo(req.Task.Root, j.File, append(text, '\n')))
}
