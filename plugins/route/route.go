package route

import (
	"context"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/records"
)

// Spec returns the plugin.
func Spec() *sdk.Spec {
	return &sdk.Spec{
		Name:        "product-decision-route",
		Version:     sdk.Version,
		Stateless:   true,
		Revalidator: revalidator{},
	}
}

type revalidator struct{}

// Revalidate refuses. The checks of decision records are not part of this
// version, and a route that nobody has checked is never fresh.
func (revalidator) Revalidate(_ context.Context, req *sdk.RevalidateRequest) (*sdk.RevalidateResult, error) {
	return &sdk.RevalidateResult{Refusals: []sdk.Refusal{{
		Code:   "records-missing",
		Path:   records.EvidencePath(req.Task.ID),
		Detail: "the route cannot be confirmed: this version checks no decision records yet",
	}}}, nil
}
