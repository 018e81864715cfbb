// Command my-plugin is an observer that logs each event, and warns of a slow one.
package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/stagehook/stagehook/sdk"
)

func main() { os.Exit(sdk.Serve(spec())) }

func spec() *sdk.Spec {
	p := &plugin{SlowMS: 1000}
	return &sdk.Spec{Name: "my-plugin", Version: "0.1.0", Settings: p, Stateless: true, Observer: p}
}

// plugin holds the settings, which begin with their defaults.
type plugin struct {
	SlowMS int `json:"slow_ms" jsonschema:"time in milliseconds from which on an event is slow"`
}

// Validate refuses settings that make no sense.
func (p *plugin) Validate() error {
	if p.SlowMS < 1 {
		return errors.New("slow_ms: must be at least 1")
	}
	return nil
}

// Observe logs how an event ended. It is seen with --log-level info, a slow one
// with --log-level warn as well.
func (p *plugin) Observe(ctx context.Context, req *sdk.ObserveRequest) error {
	log := sdk.Logger(ctx).With("event", req.Event, "task", req.Task.ID, "result", req.Result, "elapsed", req.Elapsed)
	if p.isSlow(req.Elapsed) {
		log.Warn("the event was slow")
	} else {
		log.Info("the event ended")
	}
	return nil
}

func (p *plugin) isSlow(elapsed time.Duration) bool {
	return elapsed >= time.Duration(p.SlowMS)*time.Millisecond
}
