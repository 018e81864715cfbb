package records

import "slices"

// evidence is a TaskEvidence, the entry point to a task's records.
type evidence struct {
	acceptance contractRef
	decision   recordRef
	items      []evidenceItem
}

// evidenceItem is a file that shows how far a criterion is met.
type evidenceItem struct{ id, criterion, path, digest string }

var evidenceKind = kind[evidence]{name: "TaskEvidence", fields: func(m *mapping) evidence {
	m.number("revision")
	e := evidence{acceptance: m.contractRef("acceptance"), decision: m.recordRef("decision")}
	for _, item := range m.mappings("evidence") {
		item.oneOf("status", "met", "partial", "missed", "n-a")
		e.items = append(e.items, evidenceItem{
			id:        item.identifier("id"),
			criterion: item.identifier("criterion"),
			path:      item.path("path"),
			digest:    item.digest("digest"),
		})
		item.finish()
	}
	return e
}}

// checkEvidence compares what the evidence says with the contract and with the
// files.
func (c *checker) checkEvidence(e *record[evidence], own *record[contract]) {
	for _, item := range e.fields.items {
		if own != nil {
			c.check(own.fields.criteria[item.criterion], CodeEvidence, e.path, "criterion of "+item.id, item.criterion, "one of the contract's")
		}
		c.checkFile(CodeEvidence, e.path, item.id, item.path, item.digest)
	}
}

// checkHead checks that the evidence names the head. Of a chain whose head is not
// clear it must at least be no decision that another one supersedes.
func (c *checker) checkHead(e *record[evidence], ch *chain) {
	named := e.fields.decision
	switch {
	case ch.partial && (ch.head == nil || ch.byVersion[named.version] == nil): // it may be in a file that could not be read
	case ch.byVersion[named.version] == nil:
		c.fail(CodeDecisionMissing, e.path, "there is no decision %s", named.version)
	case ch.head != nil:
		c.check(named == ref(ch.head), CodeDecisionMismatch, e.path, "decision", named.String(), ref(ch.head).String())
	case slices.ContainsFunc(ch.decisions, func(r *record[decision]) bool {
		return r.fields.supersedes != nil && r.fields.supersedes.version == named.version && r.fields.version != named.version
	}):
		c.fail(CodeDecisionMismatch, e.path, "the decision %s is superseded", named.version)
	}
}
