package sdk_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/stagehook/stagehook/sdk"
)

// tooOld refuses a snapshot that was stored too long ago. It holds the plugin's
// settings and their defaults.
type tooOld struct {
	MaxHours int `json:"max_hours" jsonschema:"how old a snapshot may be"`
}

// Validate is asked when the settings have been decoded.
func (p *tooOld) Validate() error {
	if p.MaxHours < 1 {
		return errors.New("max_hours: must be at least 1")
	}
	return nil
}

// Revalidate confirms what the snapshot recommends, or says why not.
func (p *tooOld) Revalidate(_ context.Context, req *sdk.RevalidateRequest) (*sdk.RevalidateResult, error) {
	if req.Snapshot == nil {
		return nil, sdk.Failf(sdk.FailureArgument, "%s has no snapshot", req.Task.ID)
	}
	now := time.Now().UTC()
	if age := now.Sub(req.Snapshot.CapturedAt); age > time.Duration(p.MaxHours)*time.Hour {
		return &sdk.RevalidateResult{Refusals: []sdk.Refusal{
			{Code: "too-old", Detail: fmt.Sprintf("older than %d hours", p.MaxHours)},
		}}, nil
	}
	return &sdk.RevalidateResult{CheckedAt: now}, nil
}

// The main function of the plugin is os.Exit(sdk.Serve(spec)). Here it is called as
// a host calls it, settings first.
func Example() {
	p := &tooOld{MaxHours: 24}
	spec := &sdk.Spec{Name: "too-old", Version: "1.0.0", Settings: p, Stateless: true, Revalidator: p}
	fmt.Println(spec.Configure([]byte(`{"max_hours": 0}`)))
	fmt.Println(spec.Configure([]byte(`{"max_hours": 12}`)))

	request := &sdk.RevalidateRequest{
		Task:     sdk.Task{Root: "/tmp/shop", ID: "SHOP-0001"},
		Snapshot: &sdk.Snapshot{TaskID: "SHOP-0001", CapturedAt: time.Now().Add(-13 * time.Hour)},
	}
	result, err := spec.Revalidator.Revalidate(context.Background(), request)
	fmt.Println(result.Fresh(), result.Refusals[0].Detail, err)

	request.Snapshot.CapturedAt = time.Now()
	result, err = spec.Revalidator.Revalidate(context.Background(), request)
	fmt.Println(result.Fresh(), err)
	// Output:
	// settings: max_hours: must be at least 1
	// <nil>
	// false older than 12 hours <nil>
	// true <nil>
}
