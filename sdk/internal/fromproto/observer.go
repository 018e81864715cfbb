package fromproto

import (
	"fmt"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

// ObserveRequest is a call's request to an observer.
func ObserveRequest(m *proto.ObserveRequest) (*hook.ObserveRequest, error) {
	task, err := Task(m.GetTask())
	if err != nil {
		return nil, err
	}
	started, err := timestamp("started", m.GetStarted())
	if err != nil {
		return nil, err
	}
	elapsed, err := duration("elapsed", m.GetElapsed())
	if err != nil {
		return nil, err
	}
	req := &hook.ObserveRequest{
		Task:    task,
		Event:   m.GetEvent(),
		Result:  m.GetResult(),
		Detail:  m.GetDetail(),
		Started: started,
		Elapsed: elapsed,
	}
	for i, s := range m.GetSteps() {
		step, err := stepReport(s)
		if err != nil {
			return nil, fmt.Errorf("steps[%d]: %w", i, err)
		}
		req.Steps = append(req.Steps, step)
	}
	return req, nil
}

func stepReport(m *proto.StepReport) (hook.StepReport, error) {
	pid, err := number("pid", m.GetPid())
	if err != nil {
		return hook.StepReport{}, err
	}
	start, err := duration("start", m.GetStart())
	if err != nil {
		return hook.StepReport{}, err
	}
	call, err := duration("call", m.GetCall())
	if err != nil {
		return hook.StepReport{}, err
	}
	return hook.StepReport{
		Kind:    hook.Kind(m.GetKind()),
		Plugin:  m.GetPlugin(),
		PID:     pid,
		Start:   start,
		Call:    call,
		Skipped: m.GetSkipped(),
		Failed:  m.GetFailed(),
	}, nil
}
