package records

import "github.com/stagehook/stagehook/sdk/identity"

// decision is a DecisionRecord, one revision of a decision.
type decision struct {
	version
	status        string // proposed, accepted or withdrawn
	supersedes    *recordRef
	contract      contractRef
	brief         recordRef
	authorization string // a reference; empty when there is none
	scopeAdvance  []string
	command       string // of the route
	token         string // advance, return, hold or close
}

var decisionKind = kind[decision]{name: "DecisionRecord", fields: func(m *mapping) decision {
	d := decision{
		version:  m.version(),
		status:   m.oneOf("status", "proposed", "accepted", "withdrawn"),
		contract: m.contractRef("contract"),
		brief:    m.recordRef("brief"),
	}
	if m.has("supersedes") {
		ref := m.recordRef("supersedes")
		d.supersedes = &ref
	}
	if m.has("authorization") {
		d.authorization = m.identifier("authorization")
	}
	if m.has("scope_advance") {
		d.scopeAdvance = m.identifiers("scope_advance")
	}
	route := m.mapping("route")
	d.command = route.formed("command", "a command such as /dr-do, perhaps with arguments", func(text string) bool {
		return identity.RecommendedNext(text) == nil
	})
	d.token = route.oneOf("token", "advance", "return", "hold", "close")
	route.finish()
	m.text("decided_by")
	m.time("decided_at")
	return d
}}

// ref names a decision that was read.
func ref(r *record[decision]) recordRef { return recordRef{r.fields.version, r.digest} }

// checkDecision compares the head of the chain, and what it was decided from, with
// the records of today.
func (c *checker) checkDecision(head *record[decision], own *record[contract], b *record[brief]) {
	d := head.fields
	c.check(d.status == "accepted", CodeDecisionNotAccepted, head.path, "status", d.status, "accepted")
	if own != nil {
		c.checkContractRef(head.path, "contract", d.contract, own)
	}
	if b != nil {
		is := recordRef{b.fields.version, b.digest}
		c.check(d.brief == is, CodeBrief, head.path, "brief", d.brief.String(), is.String())
	}
	c.check(d.token != "hold", CodeRouteHold, head.path, "route.token", d.token, "another to go on")
}
