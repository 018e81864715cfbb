package route

import (
	"context"
	"time"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/records"
	"github.com/stagehook/stagehook/sdk/workspace"
)

// Spec returns the plugin.
func Spec() *sdk.Spec { return spec(time.Now) }

// spec takes the clock, so that a test can set it.
func spec(now func() time.Time) *sdk.Spec {
	return &sdk.Spec{
		Name:        "product-decision-route",
		Version:     sdk.Version,
		Stateless:   true,
		Revalidator: &revalidator{now: now},
	}
}

type revalidator struct{ now func() time.Time }

// Revalidate reads the task's records anew and says where they lead.
func (r *revalidator) Revalidate(ctx context.Context, req *sdk.RevalidateRequest) (*sdk.RevalidateResult, error) {
	grammar, err := req.Task.Grammar()
	if err != nil {
		return nil, err
	}
	ws, err := workspace.Open(req.Task.Root)
	if err != nil {
		return nil, sdk.FailIO(err)
	}
	defer ws.Close()
	files := ws.Files()
	defer files.Close()

	query := records.Query{TaskID: req.Task.ID, Grammar: grammar, Now: r.now()}
	switch {
	case req.Session != nil:
		query.Body, query.SessionID = req.Session.Body, req.Session.SessionID
	case req.Snapshot != nil:
		query.Body = req.Snapshot.Body
	}
	report, err := records.Verify(ctx, files, query)
	if err != nil {
		return nil, err
	}
	return &report.Result, nil
}
