package hook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// Revalidator decides from authoritative records whether the route that a
// snapshot proposes is still allowed. The snapshot is a hint and never a proof.
type Revalidator interface {
	Revalidate(ctx context.Context, req *RevalidateRequest) (*RevalidateResult, error)
}

// RevalidateRequest asks for the fresh route of a task.
type RevalidateRequest struct {
	Task Task
	// Snapshot is the validated snapshot, nil when the task has none.
	Snapshot *snapshot.Snapshot
	// Session is the validated session that recommends to go on with the task, nil
	// when the task itself is resumed.
	Session *snapshot.Session
}

// Check reports whether the task passes the grammar.
func (r *RevalidateRequest) Check() error { return r.Task.Check() }

// RevalidateResult is either a fresh route or refusals. It is fresh only when
// Refusals is empty and CheckedAt is set; everything else refuses.
type RevalidateResult struct {
	// Route is the route that the records give. A fresh result may leave it nil,
	// which confirms the snapshot's own recommendation.
	Route          *Route
	Decision       *RecordRef   // the decision behind the route
	Lineage        []string     // "ID@REVISION", oldest first
	Contract       *ContractRef // the task's own acceptance contract
	ParentContract *ContractRef // the parent task's
	CheckedAt      time.Time    // UTC
	Refusals       []Refusal
}

// Fresh reports whether the route may be followed.
func (r *RevalidateResult) Fresh() bool {
	return r != nil && len(r.Refusals) == 0 && !r.CheckedAt.IsZero()
}

// Route is where a task goes next.
type Route struct {
	Command string `json:"command"` // such as "/dr-do TUNE-0254"
	Token   Token  `json:"token,omitzero"`
}

// TokenHold is the type of a token that nobody may go on with.
const TokenHold = "hold"

// Check reports what keeps a fresh route from being followed: a command that is
// none, or a token of an unknown type or of [TokenHold]. A route may do without a
// token.
func (r *Route) Check() error {
	if err := identity.RecommendedNext(r.Command); err != nil {
		var value *identity.ValueError
		errors.As(err, &value)
		return fmt.Errorf("route.command: %s", value.Detail)
	}
	if identity.Line("", r.Token.Value) != nil {
		return errors.New("route.token: the value is not one line")
	}
	switch r.Token.Type {
	case "advance", "return", "close":
		return nil
	case "":
		if r.Token.Value == "" {
			return nil
		}
	case TokenHold:
		return errors.New("route.token: the type hold is not fresh")
	}
	return fmt.Errorf("route.token: the type %.80q is none of advance, return, close", r.Token.Type)
}

// Token is a route's typed token.
type Token struct {
	Type  string `json:"type"`  // advance, return, hold or close
	Value string `json:"value"` // the same for the same records, another after any change
}

// RecordRef names one revision of a record by its content.
type RecordRef struct {
	ID       string `json:"id"`
	Revision int    `json:"revision"`
	Digest   string `json:"digest"` // "sha256:" and 64 hex digits
}

// ContractRef names an acceptance contract by its content.
type ContractRef struct {
	TaskID   string   `json:"task_id"`
	Revision int      `json:"revision,omitempty"` // 0 when the record that names it does not say
	Digest   string   `json:"digest"`
	Scope    []string `json:"scope,omitempty"`
}

// Refusal is one reason not to follow a route.
type Refusal struct {
	Code   string `json:"code"`   // stable, such as "records-missing"
	Path   string `json:"path"`   // of the record concerned, relative to the root; may be empty
	Detail string `json:"detail"` // one line for people
}
