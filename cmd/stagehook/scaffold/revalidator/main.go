// Command my-plugin is a revalidator that refuses to resume from a snapshot that
// was stored too long ago.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/stagehook/stagehook/sdk"
)

func main() { os.Exit(sdk.Serve(spec())) }

func spec() *sdk.Spec {
	p := &plugin{MaxHours: 24}
	return &sdk.Spec{Name: "my-plugin", Version: "0.1.0", Settings: p, Stateless: true, Revalidator: p}
}

// plugin holds the settings, which begin with their defaults.
type plugin struct {
	MaxHours int `json:"max_hours" jsonschema:"age in hours above which a snapshot is refused"`
}

// Validate refuses settings that make no sense.
func (p *plugin) Validate() error {
	if p.MaxHours < 1 {
		return errors.New("max_hours: must be at least 1")
	}
	return nil
}

// Revalidate compares the snapshot's age with the setting.
func (p *plugin) Revalidate(ctx context.Context, req *sdk.RevalidateRequest) (*sdk.RevalidateResult, error) {
	now := time.Now().UTC()
	if req.Snapshot != nil { // a route can be asked for without one
		sdk.Logger(ctx).Info("looked at the snapshot", "task", req.Task.ID, "captured_at", req.Snapshot.CapturedAt)
		age := now.Sub(req.Snapshot.CapturedAt)
		if age > time.Duration(p.MaxHours)*time.Hour {
			return &sdk.RevalidateResult{Refusals: []sdk.Refusal{{
				Code:   "too-old",
				Detail: fmt.Sprintf("the snapshot is %.0f hours old; at most %d are allowed", age.Hours(), p.MaxHours),
			}}}, nil
		}
	}
	return &sdk.RevalidateResult{CheckedAt: now}, nil
}
