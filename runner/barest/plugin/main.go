// Plugin is the barest plugin that can be made with the SDK, to measure what its
// start costs beyond that of the barest go-plugin binary.
package main

import (
	"context"
	"os"

	"github.com/stagehook/stagehook/sdk"
)

type observer struct{}

// Observe does nothing.
func (observer) Observe(context.Context, *sdk.ObserveRequest) error { return nil }

func main() {
	os.Exit(sdk.Serve(&sdk.Spec{Name: "barest", Version: "1.0.0", Stateless: true, Observer: observer{}}))
}
