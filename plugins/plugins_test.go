package plugins

import (
	"slices"
	"testing"

	"github.com/stagehook/stagehook/configs"
	"github.com/stagehook/stagehook/sdk/yamldoc"
)

func TestBuiltinsAreValidAndFound(t *testing.T) {
	for _, spec := range Builtins() {
		if err := spec.Validate(); err != nil {
			t.Errorf("%s: %v", spec.Name, err)
		}
		if found := Find(spec.Name); found == nil || found.Name != spec.Name {
			t.Errorf("%s is not found", spec.Name)
		}
	}
	if Find("nobody") != nil {
		t.Error("found nobody")
	}
}

// The default configuration names just the plugins that there are, exec apart: it
// does nothing without a program.
func TestDefaultConfigurationNamesTheBuiltins(t *testing.T) {
	root, err := yamldoc.Parse(configs.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	var configured, built []string
	entries := yamldoc.Value(root, "plugins").Content
	for i := 1; i < len(entries); i += 2 {
		configured = append(configured, yamldoc.Value(entries[i], "builtin").Value)
	}
	for _, spec := range Builtins() {
		if spec.Name != "exec" {
			built = append(built, spec.Name)
		}
	}
	slices.Sort(configured)
	slices.Sort(built)
	if !slices.Equal(configured, built) {
		t.Errorf("configured %q; built in %q", configured, built)
	}
}
