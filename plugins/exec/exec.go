package exec

import (
	"errors"
	"fmt"
	"strings"

	"github.com/stagehook/stagehook/sdk"
)

// Settings are the plugin's settings.
type Settings struct {
	Command []string `json:"command" jsonschema:"program and arguments; {root}, {task} and ${VARIABLE} are replaced in each"`
}

// Validate refuses settings that name no program.
func (s *Settings) Validate() error {
	if len(s.Command) == 0 || s.Command[0] == "" {
		return errors.New("command: names no program")
	}
	for i, word := range s.Command {
		if strings.ContainsRune(word, 0) {
			return fmt.Errorf("command[%d]: holds a NUL", i)
		}
	}
	return nil
}

// Spec returns the plugin.
func Spec() *sdk.Spec {
	p := &plugin{settings: &Settings{}}
	return &sdk.Spec{
		Name:        "exec",
		Version:     sdk.Version,
		Settings:    p.settings,
		Stateless:   true,
		Revalidator: p,
		Observer:    p,
	}
}

// plugin asks a program.
type plugin struct{ settings *Settings }
