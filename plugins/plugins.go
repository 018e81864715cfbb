package plugins

import (
	"github.com/stagehook/stagehook/plugins/archiver"
	"github.com/stagehook/stagehook/plugins/exec"
	"github.com/stagehook/stagehook/plugins/renderer"
	"github.com/stagehook/stagehook/plugins/route"
	"github.com/stagehook/stagehook/plugins/validator"
	"github.com/stagehook/stagehook/plugins/writer"
	"github.com/stagehook/stagehook/sdk"
)

// Builtins returns the specs of all built-in plugins, in the order in which an
// event meets their kinds, and last the one for programs that are no plugins.
func Builtins() []*sdk.Spec {
	return []*sdk.Spec{
		writer.Spec(),
		validator.Spec(),
		route.Spec(),
		renderer.Spec(),
		archiver.Spec(),
		exec.Spec(),
	}
}

// Find returns the built-in plugin of that name, nil when there is none.
func Find(name string) *sdk.Spec {
	for _, spec := range Builtins() {
		if spec.Name == name {
			return spec
		}
	}
	return nil
}
