package records

// The codes of the refusals, and of the checks that lead to them.
const (
	CodeMissing    = "records-missing"   // a needed record does not exist
	CodeUnreadable = "record-unreadable" // an IO error, a symlink, no regular file, too large, outside of the root
	CodeMalformed  = "record-malformed"  // not the YAML, or not the fields, that the record must have
	CodeTask       = "task-mismatch"     // the record of another task

	CodeAcceptanceStale = "acceptance-stale" // another revision than the task's contract is named
	CodeParentMissing   = "parent-missing"
	CodeParentMismatch  = "parent-mismatch" // another digest; a cycle; too deep
	CodeEvidence        = "evidence-mismatch"

	CodeDecisionMissing     = "decision-missing"  // the evidence's decision is not there
	CodeDecisionMismatch    = "decision-mismatch" // it is not the chain's head
	CodeChainFork           = "chain-fork"
	CodeChainBroken         = "chain-broken"
	CodeChainCycle          = "chain-cycle"
	CodeDecisionNotAccepted = "decision-not-accepted"

	CodeBrief      = "brief-mismatch"
	CodeBriefInput = "brief-input-stale"

	CodeAuthorizationMissing  = "authorization-missing"
	CodeAuthorizationMismatch = "authorization-mismatch"
	CodeAuthorizationInactive = "authorization-inactive"
	CodeParentContract        = "parent-contract-mismatch"
	CodeScope                 = "scope-exceeded"

	CodeProjectionAhead = "projection-ahead" // the snapshot knows a later decision
	CodeRouteHold       = "route-hold"
)
