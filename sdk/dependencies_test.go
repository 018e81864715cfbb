package sdk

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/stagehook/stagehook"

// What an author pays for when a plugin imports the SDK.
const (
	maxDirectModules  = 10 // that the SDK's packages import from
	maxExampleModules = 50 // in the checksums of a plugin's own module
)

// Plugins of strangers import these packages, so no code that only a host needs
// may come along, by whatever way.
func TestDependencies(t *testing.T) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		modules, imports := dependencies(t, system)
		if len(imports) < 10 || modules[module+"/sdk"] != module {
			t.Fatalf("%s: the list of packages is wrong: %v", system, modules)
		}
		direct := map[string]bool{}
		for pkg, of := range modules {
			switch {
			case strings.HasPrefix(of, "github.com/spf13/"):
				t.Errorf("%s: %s comes along", system, pkg)
			case of != module:
			case pkg != module+"/sdk" && !strings.HasPrefix(pkg, module+"/sdk/"):
				t.Errorf("%s: %s comes along", system, pkg)
			default:
				for _, imported := range imports[pkg] {
					direct[modules[imported]] = true
				}
			}
		}
		delete(direct, "") // the standard library
		delete(direct, module)
		if len(direct) > maxDirectModules {
			t.Errorf("%s: %d modules are imported from, more than %d: %v", system, len(direct), maxDirectModules, slices.Sorted(maps.Keys(direct)))
		}
	}
}

// dependencies lists what the packages below this one need outside the standard
// library: each package's module, and what it imports.
func dependencies(t *testing.T, system string) (modules map[string]string, imports map[string][]string) {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps",
		"-f", `{{if not .Standard}}{{.ImportPath}} {{.Module.Path}} {{join .Imports " "}}{{end}}`, "./...")
	cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	modules, imports = map[string]string{}, map[string][]string{}
	for line := range strings.Lines(string(output)) {
		fields := strings.Fields(line)
		modules[fields[0]], imports[fields[0]] = fields[1], fields[2:]
	}
	return modules, imports
}

func TestModulesOfAPlugin(t *testing.T) {
	sums, err := os.ReadFile(filepath.Join("..", "examples", "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for line := range strings.Lines(string(sums)) {
		name, _, _ := strings.Cut(line, " ")
		names[name] = true
	}
	if len(names) == 0 || len(names) > maxExampleModules {
		t.Errorf("examples/go.sum names %d modules; want 1 to %d", len(names), maxExampleModules)
	}
}
