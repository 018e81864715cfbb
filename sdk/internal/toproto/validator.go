package toproto

import (
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// A level or verdict that is not listed becomes unspecified, which the other
// side refuses.
var (
	levels = map[snapshot.Level]proto.Level{
		snapshot.LevelStrict: proto.Level_LEVEL_STRICT,
		snapshot.LevelSchema: proto.Level_LEVEL_SCHEMA,
	}
	verdicts = map[hook.Verdict]proto.Verdict{
		hook.VerdictValid:     proto.Verdict_VERDICT_VALID,
		hook.VerdictMissing:   proto.Verdict_VERDICT_MISSING,
		hook.VerdictMalformed: proto.Verdict_VERDICT_MALFORMED,
	}
)

// ValidateRequest is a call's request to a validator.
func ValidateRequest(req *hook.ValidateRequest) *proto.ValidateRequest {
	return &proto.ValidateRequest{Task: Task(req.Task), Level: levels[req.Level]}
}

// ValidateResult is a validator's answer.
func ValidateResult(res *hook.ValidateResult) *proto.ValidateResponse {
	m := &proto.ValidateResponse{
		Verdict:  verdicts[res.Verdict],
		Path:     res.Path,
		Snapshot: Snapshot(res.Snapshot),
		Session:  Session(res.Session),
	}
	if res.Problem != nil {
		m.Problem = &proto.Problem{Code: res.Problem.Code, Detail: line(res.Problem.Detail)}
	}
	return m
}
