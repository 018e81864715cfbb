package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stagehook/stagehook/cmd/stagehook/scaffold"
	"github.com/stagehook/stagehook/runner/config"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
)

// sdkModule is the module that plugins in Go import.
const sdkModule = "github.com/stagehook/stagehook"

func newPluginsInit(s *session) *cobra.Command {
	var kind, dir, sdk string
	cmd := &cobra.Command{
		Use:   "init NAME",
		Short: "Write a new plugin in Go that works and is tested, to go on from",
		Long: "Init writes a plugin of one kind, its tests and the configuration that wires it\n" +
			"into the new folder NAME. Nothing is overwritten.",
		Annotations: required("kind"),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("init takes the name of the new plugin")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return s.pluginsInit(scaffold.Options{Name: args[0], Kind: hook.Kind(kind), SDK: sdk}, dir)
		},
	}
	cmd.Flags().StringVar(&kind, "kind", "", "what the plugin does: "+strings.Join(kindNames(), ", "))
	cmd.Flags().StringVar(&dir, "dir", ".", "folder in which the folder NAME is made")
	cmd.Flags().StringVar(&sdk, "sdk", "", "checkout of stagehook to build the plugin against")
	completeFrom(cmd, "kind", kindNames()...)
	return cmd
}

func kindNames() []string {
	var names []string
	for _, kind := range hook.Kinds() {
		names = append(names, string(kind))
	}
	return names
}

func (s *session) pluginsInit(o scaffold.Options, dir string) error {
	if !o.Kind.Valid() {
		return usagef("--kind %q is none of %s", o.Kind, strings.Join(kindNames(), ", "))
	}
	if o.SDK != "" {
		var err error
		if o.SDK, err = checkout(o.SDK); err != nil {
			return err
		}
	}
	files, err := scaffold.New(o)
	if err != nil {
		return err
	}
	if err := scaffold.Write(dir, o.Name, files); err != nil {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "made the %s %s; go on with:\n\n", o.Kind, o.Name)
	fmt.Fprintf(&text, "  cd %s\n", config.ShellWord(filepath.Join(dir, o.Name)))
	if o.SDK == "" {
		fmt.Fprintf(&text, "  go mod edit -replace=%s=CHECKOUT   # no release is published yet\n", sdkModule)
	}
	fmt.Fprintf(&text, "  go mod tidy\n  go test\n  go build\n  stagehook plugins verify ./%s\n\n", o.Name)
	fmt.Fprintf(&text, "README.md there says how to use it.\n")
	_, err = s.out.Write([]byte(text.String()))
	return err
}

// checkout returns the absolute path of a checkout of stagehook.
func checkout(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	module, err := os.ReadFile(filepath.Join(absolute, "go.mod"))
	if err != nil || !strings.HasPrefix(string(module), "module "+sdkModule+"\n") {
		return "", &identity.ValueError{Field: "--sdk", Detail: fmt.Sprintf("%s is no checkout of stagehook", config.ShellWord(path))}
	}
	return absolute, nil
}
