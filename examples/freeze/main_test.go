package main

import (
	"testing"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/sdktest"
)

func TestRevalidate(t *testing.T) {
	frozen := &sdk.RevalidateResult{Refusals: []sdk.Refusal{
		{Code: "frozen", Path: "datarim/freeze", Detail: "work on this project is stopped"},
	}}
	files := map[string]string{"datarim/freeze": ""}
	sdktest.Revalidator(t, spec(), sdktest.RevalidatorCase{Files: files, Want: frozen})
	sdktest.Revalidator(t, spec(), sdktest.RevalidatorCase{Want: &sdk.RevalidateResult{}})
	sdktest.Revalidator(t, spec(), sdktest.RevalidatorCase{
		Files: files, Settings: map[string]any{"file": "datarim/stop"}, Want: &sdk.RevalidateResult{},
	})
	sdktest.Revalidator(t, spec(), sdktest.RevalidatorCase{
		Settings: map[string]any{"file": "../freeze"}, WantFailure: sdk.FailureIO,
	})
}
