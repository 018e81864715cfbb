package fromproto

import (
	"errors"
	"fmt"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

// RevalidateRequest is a call's request to a revalidator.
func RevalidateRequest(m *proto.RevalidateRequest) (*hook.RevalidateRequest, error) {
	task, err := Task(m.GetTask())
	if err != nil {
		return nil, err
	}
	snapshot, err := Snapshot(m.GetSnapshot())
	if err != nil {
		return nil, err
	}
	session, err := Session(m.GetSession())
	if err != nil {
		return nil, err
	}
	return &hook.RevalidateRequest{Task: task, Snapshot: snapshot, Session: session}, nil
}

// RevalidateResult is a revalidator's answer. What the message says of its
// freshness must be what [hook.RevalidateResult.Fresh] finds in the rest.
func RevalidateResult(m *proto.RevalidateResponse) (*hook.RevalidateResult, error) {
	res := &hook.RevalidateResult{Lineage: m.GetLineage()}
	for _, r := range m.GetRefusals() {
		res.Refusals = append(res.Refusals, hook.Refusal{Code: r.GetCode(), Path: r.GetPath(), Detail: r.GetDetail()})
	}
	var err error
	if m.GetCheckedAt() != nil {
		if res.CheckedAt, err = timestamp("checked_at", m.GetCheckedAt()); err != nil {
			return nil, err
		}
	}
	if err := freshness(m.GetFreshness(), res); err != nil {
		return nil, err
	}
	if res.Route, err = route(m.GetRoute()); err != nil {
		return nil, err
	}
	if res.Decision, err = recordRef("decision", m.GetDecision()); err != nil {
		return nil, err
	}
	if res.Contract, err = contractRef("contract", m.GetContract()); err != nil {
		return nil, err
	}
	if res.ParentContract, err = contractRef("parent_contract", m.GetParentContract()); err != nil {
		return nil, err
	}
	return res, nil
}

func freshness(said proto.Freshness, res *hook.RevalidateResult) error {
	switch said {
	case proto.Freshness_FRESHNESS_FRESH:
		switch {
		case len(res.Refusals) > 0:
			return errors.New("freshness: fresh with refusals")
		case !res.Fresh():
			return errors.New("freshness: fresh without checked_at")
		}
	case proto.Freshness_FRESHNESS_REFUSED:
		if len(res.Refusals) == 0 {
			return errors.New("freshness: refused without refusals")
		}
	default:
		return fmt.Errorf("freshness: unknown value %d", said)
	}
	return nil
}

// route is nil for nil. A route that leads nowhere is not the absence of one,
// which would confirm the snapshot's own recommendation.
func route(m *proto.Route) (*hook.Route, error) {
	if m == nil {
		return nil, nil
	}
	if m.GetCommand() == "" {
		return nil, errors.New("route: command: missing")
	}
	return &hook.Route{
		Command: m.GetCommand(),
		Token:   hook.Token{Type: m.GetToken().GetType(), Value: m.GetToken().GetValue()},
	}, nil
}

func recordRef(field string, m *proto.RecordRef) (*hook.RecordRef, error) {
	if m == nil {
		return nil, nil
	}
	revision, err := number("revision", m.GetRevision())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", field, err)
	}
	return &hook.RecordRef{ID: m.GetId(), Revision: revision, Digest: m.GetDigest()}, nil
}

func contractRef(field string, m *proto.ContractRef) (*hook.ContractRef, error) {
	if m == nil {
		return nil, nil
	}
	revision, err := number("revision", m.GetRevision())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", field, err)
	}
	return &hook.ContractRef{TaskID: m.GetTaskId(), Revision: revision, Digest: m.GetDigest(), Scope: m.GetScope()}, nil
}
