package exec

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/stagehook/stagehook/sdk"
)

// The codes of the refusals.
const (
	codeRefused = "helper-refused" // the program said refused
	codeFailed  = "helper-failed"  // it gave no answer that counts
)

type revalidateJSON struct {
	Schema   string        `json:"schema"` // stagehook.revalidate/1
	TaskID   string        `json:"task_id"`
	Root     string        `json:"root"`
	Snapshot *snapshotJSON `json:"snapshot"` // null when the task has none
	Session  *sessionJSON  `json:"session,omitempty"`
}

type snapshotJSON struct {
	Stage           string   `json:"stage"`
	Command         string   `json:"command"`
	CapturedAt      string   `json:"captured_at"`
	CapturedBy      string   `json:"captured_by"`
	RecommendedNext string   `json:"recommended_next"`
	Options         []string `json:"options"`
	Truncated       bool     `json:"truncated"`
	Body            string   `json:"body"`
}

type sessionJSON struct {
	SessionID       string   `json:"session_id"`
	CapturedAt      string   `json:"captured_at"`
	CapturedBy      string   `json:"captured_by"`
	RecommendedNext string   `json:"recommended_next"`
	NextAction      string   `json:"next_action"`
	ActiveTasks     []string `json:"active_tasks"`
	Body            string   `json:"body"`
}

// Revalidate asks the program. Only an exit code 0 with the verdict "fresh" is
// fresh; everything else refuses.
func (p *plugin) Revalidate(ctx context.Context, req *sdk.RevalidateRequest) (*sdk.RevalidateResult, error) {
	var printed answerBuffer
	runErr := p.run(ctx, req.Task, revalidateInput(req), &printed)
	if ctx.Err() != nil {
		return nil, ctx.Err() // nobody waits for an answer any more
	}
	var failure *sdk.Failure
	if errors.As(runErr, &failure) {
		return nil, failure
	}
	result, err := readAnswer(req, printed.text.Bytes())
	switch {
	case err == nil && !result.Fresh():
		return refused(result.Refusals), nil // with whatever exit code
	case runErr != nil:
		return failed(runErr.Error()), nil
	case err != nil:
		return failed("the helper's answer does not count: " + err.Error()), nil
	}
	return result, nil
}

func revalidateInput(req *sdk.RevalidateRequest) *revalidateJSON {
	input := &revalidateJSON{Schema: "stagehook.revalidate/1", TaskID: req.Task.ID, Root: req.Task.Root}
	if s := req.Snapshot; s != nil {
		input.Snapshot = &snapshotJSON{
			Stage:           s.Stage,
			Command:         s.Command,
			CapturedAt:      s.CapturedAt.UTC().Format(time.RFC3339),
			CapturedBy:      s.CapturedBy,
			RecommendedNext: s.RecommendedNext,
			Options:         append([]string{}, s.Options...), // a list, even if empty
			Truncated:       s.Truncated,
			Body:            string(s.Body),
		}
	}
	if s := req.Session; s != nil {
		input.Session = &sessionJSON{
			SessionID:       s.SessionID,
			CapturedAt:      s.CapturedAt.UTC().Format(time.RFC3339),
			CapturedBy:      s.CapturedBy,
			RecommendedNext: s.RecommendedNext,
			NextAction:      s.NextAction,
			ActiveTasks:     append([]string{}, s.ActiveTasks...),
			Body:            string(s.Body),
		}
	}
	return input
}

func failed(detail string) *sdk.RevalidateResult {
	return &sdk.RevalidateResult{Refusals: []sdk.Refusal{{Code: codeFailed, Detail: detail}}}
}

// refused passes the program's reasons on, under the code of this plugin: its own
// codes are not among those that a caller knows.
func refused(reasons []sdk.Refusal) *sdk.RevalidateResult {
	result := &sdk.RevalidateResult{}
	for _, r := range reasons {
		detail := cmp.Or(r.Detail, "the helper gives no reason")
		if r.Code != "" {
			detail = r.Code + ": " + detail
		}
		result.Refusals = append(result.Refusals, sdk.Refusal{Code: codeRefused, Path: r.Path, Detail: detail})
	}
	if result.Refusals == nil {
		result.Refusals = []sdk.Refusal{{Code: codeRefused, Detail: "the helper gives no reason"}}
	}
	return result
}
