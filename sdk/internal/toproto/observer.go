package toproto

import (
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

// ObserveRequest is a call's request to an observer.
func ObserveRequest(req *hook.ObserveRequest) *proto.ObserveRequest {
	m := &proto.ObserveRequest{
		Task:    Task(req.Task),
		Event:   req.Event,
		Result:  req.Result,
		Detail:  line(req.Detail),
		Started: timestamppb.New(req.Started),
		Elapsed: durationpb.New(req.Elapsed),
	}
	for _, step := range req.Steps {
		m.Steps = append(m.Steps, &proto.StepReport{
			Kind:    string(step.Kind),
			Plugin:  step.Plugin,
			Pid:     int64(step.PID),
			Start:   durationpb.New(step.Start),
			Call:    durationpb.New(step.Call),
			Skipped: line(step.Skipped),
			Failed:  line(step.Failed),
		})
	}
	return m
}
