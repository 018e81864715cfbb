package toproto

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

// RevalidateRequest is a call's request to a revalidator.
func RevalidateRequest(req *hook.RevalidateRequest) *proto.RevalidateRequest {
	return &proto.RevalidateRequest{
		Task:     Task(req.Task),
		Snapshot: Snapshot(req.Snapshot),
		Session:  Session(req.Session),
	}
}

// RevalidateResult is a revalidator's answer. The result does not name its
// freshness: the message says fresh only where [hook.RevalidateResult.Fresh]
// does.
func RevalidateResult(res *hook.RevalidateResult) *proto.RevalidateResponse {
	m := &proto.RevalidateResponse{
		Freshness:      proto.Freshness_FRESHNESS_REFUSED,
		Route:          route(res.Route),
		Lineage:        res.Lineage,
		Contract:       contractRef(res.Contract),
		ParentContract: contractRef(res.ParentContract),
	}
	if res.Fresh() {
		m.Freshness = proto.Freshness_FRESHNESS_FRESH
	}
	if d := res.Decision; d != nil {
		m.Decision = &proto.RecordRef{Id: d.ID, Revision: int64(d.Revision), Digest: d.Digest}
	}
	// The zero time means that nothing was checked, not the year 1.
	if !res.CheckedAt.IsZero() {
		m.CheckedAt = timestamppb.New(res.CheckedAt)
	}
	for _, r := range res.Refusals {
		m.Refusals = append(m.Refusals, &proto.Refusal{Code: r.Code, Path: line(r.Path), Detail: line(r.Detail)})
	}
	return m
}

func route(r *hook.Route) *proto.Route {
	if r == nil {
		return nil
	}
	return &proto.Route{
		Command: r.Command,
		Token:   &proto.Token{Type: r.Token.Type, Value: r.Token.Value},
	}
}

func contractRef(c *hook.ContractRef) *proto.ContractRef {
	if c == nil {
		return nil
	}
	return &proto.ContractRef{TaskId: c.TaskID, Revision: int64(c.Revision), Digest: c.Digest, Scope: c.Scope}
}
