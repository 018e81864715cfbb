// Command my-plugin is a validator that judges as the built-in one does, and asks
// for a text in the body besides.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/stagehook/stagehook/plugins/validator"
	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

func main() { os.Exit(sdk.Serve(spec())) }

func spec() *sdk.Spec {
	s := &settings{}
	return &sdk.Spec{
		Name:      "my-plugin",
		Version:   "0.1.0",
		Settings:  s,
		Stateless: true,
		Validator: &plugin{settings: s, next: validator.Spec().Validator},
	}
}

// settings begin with their defaults.
type settings struct {
	Require string `json:"require" jsonschema:"text that the body of each snapshot must hold; empty for none"`
}

// Validate refuses settings that make no sense.
func (s *settings) Validate() error { return identity.Line("require", s.Require) }

type plugin struct {
	settings *settings
	next     sdk.Validator
}

// Validate judges the file and reads it.
func (p *plugin) Validate(ctx context.Context, req *sdk.ValidateRequest) (*sdk.ValidateResult, error) {
	result, err := p.next.Validate(ctx, req)
	if err != nil || result.Snapshot == nil { // not valid, or a session
		return result, err
	}
	if !bytes.Contains(result.Snapshot.Body, []byte(p.settings.Require)) {
		return &sdk.ValidateResult{
			Verdict: hook.VerdictMalformed,
			Path:    result.Path,
			Problem: &snapshot.Problem{Code: "text-missing", Detail: fmt.Sprintf("the body does not hold %q", p.settings.Require)},
		}, nil
	}
	return result, nil
}
