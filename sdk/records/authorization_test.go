package records

import (
	"slices"
	"testing"
	"time"
)

func TestAuthorization(t *testing.T) {
	mismatch := []string{atGrant + " authorization-mismatch"}
	inactive := []string{atGrant + " authorization-inactive"}
	exceeded := []string{atHead + " scope-exceeded"}
	until := func(text string) func(set) { return replace(atGrant, "2026-12-31T00:00:00Z", text) }
	from := func(text string) func(set) { return replace(atGrant, "2026-10-01T12:05:00Z", text) }
	run(t, []verifyCase{
		{name: "none", after: remove(atGrant), want: []string{atGrant + " authorization-missing"}},
		{name: "none, and the parent would not allow it", edit: replace(atHead, "scope_advance: [implementation]", "scope_advance: [deployment]"), after: remove(atGrant), want: []string{
			atGrant + " authorization-missing", atHead + " scope-exceeded",
		}},
		{name: "none named", edit: replace(atHead, "authorization: AUTH-7\n", ""), want: []string{atHead + " authorization-missing"}},
		{name: "one of another name", edit: replace(atHead, "authorization: AUTH-7", "authorization: AUTH-8"), want: []string{"datarim/authorizations/AUTH-8.yaml authorization-missing"}},
		{name: "malformed", after: func(s set) { s[atGrant] = "" }, want: []string{atGrant + " record-malformed"}},
		{name: "another task's", edit: replace(atGrant, "task_id: TUNE-0254", "task_id: TUNE-0255"), want: mismatch},
		{name: "under another reference", edit: replace(atGrant, "ref: AUTH-7", "ref: AUTH-8"), want: mismatch},
		{name: "another decision's", edit: replace(atGrant, "id: DR-1", "id: DR-2"), want: mismatch},
		{name: "another revision's", edit: replace(atGrant, "id: DR-1, revision: 2", "id: DR-1, revision: 1"), want: mismatch},
		{name: "another digest's", edit: replace(atGrant, "<"+atHead+">", "<"+atFirst+">"), want: mismatch},

		{name: "revoked", edit: replace(atGrant, "status: active", "status: revoked"), want: inactive},
		{name: "expires in a second", edit: until("2026-10-02T08:00:01Z")},
		{name: "expires right now", edit: until("2026-10-02T08:00:00Z"), want: inactive},
		{name: "expires right now in another zone", edit: until("2026-10-02T10:00:00+02:00"), want: inactive},
		{name: "expires in a second in another zone", edit: until("2026-10-02T03:00:01-05:00")},
		{name: "expires in a fraction of a second", edit: until("2026-10-02T08:00:00.001Z")},
		{name: "expired a fraction of a second ago", edit: until("2026-10-02T08:00:00.5Z"), clock: 600 * time.Millisecond, want: inactive},
		{name: "expired long ago", edit: until("0001-01-01T00:00:00Z"), want: inactive},
		{name: "never expires", edit: replace(atGrant, "expires_at: 2026-12-31T00:00:00Z\n", "")},
		{name: "granted right now", edit: from("2026-10-02T08:00:00Z")},
		{name: "granted 60 seconds ahead", edit: from("2026-10-02T08:01:00Z")},
		{name: "granted a fraction more ahead", edit: from("2026-10-02T08:01:00.001Z"), want: inactive},
		{name: "granted 61 seconds ahead", edit: from("2026-10-02T08:01:01Z"), want: inactive},
		{name: "granted ahead in another zone", edit: from("2026-10-02T07:59:00-01:00"), want: inactive},
		{name: "the clock went back an hour", edit: from("2026-10-02T07:30:00Z"), clock: -time.Hour, want: inactive},
		{name: "revoked, expired and in the future", edit: all(from("2027-01-01T00:00:00Z"), replace(atGrant, "active", "revoked"), until("2026-01-01T00:00:00Z")), want: slices.Repeat(inactive, 3)},

		{name: "under another contract", edit: replace(atGrant, "parent_contract: \"<"+atParent, "parent_contract: \"<"+atContract), want: []string{atGrant + " parent-contract-mismatch"}},
		{name: "without a parent under another contract", edit: all(set.withoutParent, replace(atGrant, "parent_contract: \"<"+atContract, "parent_contract: \"<"+atBrief)), want: []string{atGrant + " parent-contract-mismatch"}},

		{name: "a scope that was not granted", edit: replace(atGrant, "[implementation, review]", "[review]"), want: exceeded},
		{name: "a scope granted in other case", edit: replace(atGrant, "[implementation, review]", "[Implementation]"), want: exceeded},
		{name: "nothing granted", edit: replace(atGrant, "[implementation, review]", "[]"), want: exceeded},
		{name: "a scope that the parent does not have", edit: replace(atParent, ", implementation]", "]"), want: exceeded},
		{name: "without a parent any granted scope will do", edit: all(set.withoutParent, replace(atHead, "[implementation]", "[implementation, review]"))},
		{name: "neither granted nor the parent's", edit: replace(atHead, "[implementation]", "[deployment]"), want: []string{exceeded[0], exceeded[0]}},
	})
}
