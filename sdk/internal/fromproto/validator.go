package fromproto

import (
	"errors"
	"fmt"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

var (
	levels = map[proto.Level]snapshot.Level{
		proto.Level_LEVEL_STRICT: snapshot.LevelStrict,
		proto.Level_LEVEL_SCHEMA: snapshot.LevelSchema,
	}
	verdicts = map[proto.Verdict]hook.Verdict{
		proto.Verdict_VERDICT_VALID:     hook.VerdictValid,
		proto.Verdict_VERDICT_MISSING:   hook.VerdictMissing,
		proto.Verdict_VERDICT_MALFORMED: hook.VerdictMalformed,
	}
)

// ValidateRequest is a call's request to a validator.
func ValidateRequest(m *proto.ValidateRequest) (*hook.ValidateRequest, error) {
	task, err := Task(m.GetTask())
	if err != nil {
		return nil, err
	}
	level, known := levels[m.GetLevel()]
	if !known {
		return nil, fmt.Errorf("level: unknown value %d", m.GetLevel())
	}
	return &hook.ValidateRequest{Task: task, Level: level}, nil
}

// ValidateResult is a validator's answer: a snapshot or a session when and only
// when it is valid, a problem when and only when it is malformed.
func ValidateResult(m *proto.ValidateResponse) (*hook.ValidateResult, error) {
	verdict, known := verdicts[m.GetVerdict()]
	if !known {
		return nil, fmt.Errorf("verdict: unknown value %d", m.GetVerdict())
	}
	read := 0
	if m.GetSnapshot() != nil {
		read++
	}
	if m.GetSession() != nil {
		read++
	}
	switch {
	case verdict == hook.VerdictValid && read != 1:
		return nil, errors.New("verdict: valid without a snapshot or session, or with both")
	case verdict == hook.VerdictMalformed && m.GetProblem() == nil:
		return nil, errors.New("verdict: malformed without a problem")
	case verdict != hook.VerdictValid && read != 0:
		return nil, fmt.Errorf("verdict: %s with a snapshot or session", verdict)
	case verdict != hook.VerdictMalformed && m.GetProblem() != nil:
		return nil, fmt.Errorf("verdict: %s with a problem", verdict)
	}
	res := &hook.ValidateResult{Verdict: verdict, Path: m.GetPath()}
	var err error
	if res.Snapshot, err = Snapshot(m.GetSnapshot()); err != nil {
		return nil, err
	}
	if res.Session, err = Session(m.GetSession()); err != nil {
		return nil, err
	}
	if problem := m.GetProblem(); problem != nil {
		res.Problem = &snapshot.Problem{Code: problem.GetCode(), Detail: problem.GetDetail()}
	}
	return res, nil
}
