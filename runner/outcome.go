package runner

import (
	"time"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// Result is how an event ended.
type Result string

// The results.
const (
	Done      Result = "done"      // every step that applies has run
	Nothing   Result = "nothing"   // no step stored or archived anything
	Missing   Result = "missing"   // there is no snapshot, or no session artefact
	Malformed Result = "malformed" // it is not valid
	Refused   Result = "refused"   // the route may not be followed
	Failed    Result = "failed"    // a step failed, or an argument was refused
)

// Outcome is what became of an event. A field is nil when its step did not run.
type Outcome struct {
	Event   Event
	Result  Result
	Started time.Time // UTC
	Elapsed time.Duration
	Steps   []hook.StepReport

	Written     *hook.WriteResult
	Validated   *hook.ValidateResult
	Revalidated *hook.RevalidateResult // of the revalidator that decided
	RouteTaskID string                 // the task whose route was revalidated
	Rendered    *hook.RenderResult
	Archived    *hook.ArchiveResult

	Problem  *snapshot.Problem // set when Malformed
	Refusals []hook.Refusal    // set when Refused
	Warnings []string          // one line each, for the operator
}

// Route is the fresh route, nil when no revalidator named one.
func (o *Outcome) Route() *hook.Route {
	if o.Revalidated == nil {
		return nil
	}
	return o.Revalidated.Route
}
