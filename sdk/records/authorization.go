package records

import "time"

// authorization is an Authorization: what somebody has granted a decision.
type authorization struct {
	ref            string
	decision       recordRef
	parentContract string // a digest
	scope          []string
	status         string // active or revoked
	grantedAt      time.Time
	expiresAt      *time.Time // nil when it never expires
}

var authorizationKind = kind[authorization]{name: "Authorization", fields: func(m *mapping) authorization {
	a := authorization{
		ref:            m.identifier("ref"),
		decision:       m.recordRef("decision"),
		parentContract: m.digest("parent_contract"),
		scope:          m.identifiers("scope"),
		status:         m.oneOf("status", "active", "revoked"),
		grantedAt:      m.time("granted_at"),
	}
	m.text("granted_by")
	if m.has("expires_at") {
		at := m.time("expires_at")
		a.expiresAt = &at
	}
	return a
}}

// clockTolerance is how far in the future a grant may lie: clocks of two machines
// differ.
const clockTolerance = time.Minute

// checkAuthorization checks that what the head advances beyond the contract's own
// scope was granted, and returns the grant. A decision that advances nothing
// needs none, and one that it names then is not read.
func (c *checker) checkAuthorization(head *record[decision], own, parent *record[contract]) *record[authorization] {
	d := head.fields
	if len(d.scopeAdvance) == 0 {
		return nil
	}
	if parent != nil {
		c.checkScope(head, "the parent contract's scope", parent.fields.scope)
	}
	if d.authorization == "" {
		c.fail(CodeAuthorizationMissing, head.path, "%s advances the scope and names no authorization", d.version)
		return nil
	}
	path := AuthorizationPath(d.authorization)
	grant := need(c, authorizationKind, path, CodeAuthorizationMissing)
	if grant == nil {
		return nil
	}
	a := grant.fields
	c.checkTask(CodeAuthorizationMismatch, path, grant.taskID, c.query.TaskID)
	c.check(a.ref == d.authorization, CodeAuthorizationMismatch, path, "ref", a.ref, d.authorization)
	c.check(a.decision == ref(head), CodeAuthorizationMismatch, path, "decision", a.decision.String(), ref(head).String())
	c.checkActive(path, a)
	if above := contractAbove(own, parent); above != nil {
		c.check(a.parentContract == above.digest, CodeParentContract, path, "parent_contract", a.parentContract, above.digest+", that of "+above.taskID)
	}
	c.checkScope(head, "the authorization's scope", a.scope)
	return grant
}

// contractAbove returns the contract that a grant must name; nil when it could not
// be read.
func contractAbove(own, parent *record[contract]) *record[contract] {
	if own != nil && own.fields.parent == nil {
		return own
	}
	return parent
}

func (c *checker) checkActive(path string, a authorization) {
	c.check(a.status == "active", CodeAuthorizationInactive, path, "status", a.status, "active")
	now := c.query.Now.UTC()
	limit := now.Add(clockTolerance)
	c.check(!a.grantedAt.After(limit), CodeAuthorizationInactive, path, "granted_at",
		a.grantedAt.Format(time.RFC3339Nano), limit.Format(time.RFC3339Nano)+" or earlier")
	if a.expiresAt != nil {
		c.check(a.expiresAt.After(now), CodeAuthorizationInactive, path, "expires_at",
			a.expiresAt.Format(time.RFC3339Nano), "later than "+now.Format(time.RFC3339Nano))
	}
}

// checkScope checks that a scope holds all that the head advances to.
func (c *checker) checkScope(head *record[decision], whose string, scope []string) {
	holds := map[string]bool{}
	for _, name := range scope {
		holds[name] = true
	}
	for _, name := range head.fields.scopeAdvance {
		c.check(holds[name], CodeScope, head.path, "scope_advance", name, "in "+whose)
	}
}
