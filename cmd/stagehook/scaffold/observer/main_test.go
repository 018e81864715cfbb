package main

import (
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/sdktest"
)

func TestEventIsObserved(t *testing.T) {
	sdktest.Observer(t, spec(), sdktest.ObserverCase{
		Request: sdk.ObserveRequest{Event: "resume", Elapsed: 2 * time.Second},
	})
}

func TestSlowEvent(t *testing.T) {
	p := &plugin{SlowMS: 100}
	if p.isSlow(99*time.Millisecond) || !p.isSlow(100*time.Millisecond) {
		t.Error("100 ms is where slow begins")
	}
}

func TestZeroMillisecondsAreRefused(t *testing.T) {
	sdktest.Observer(t, spec(), sdktest.ObserverCase{
		Settings:    map[string]any{"slow_ms": 0},
		WantFailure: sdk.FailureArgument,
	})
}

func TestProgramKeepsTheRules(t *testing.T) {
	program := filepath.Join(t.TempDir(), "my-plugin")
	if output, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	sdktest.Conform(t, nil, program)
}
