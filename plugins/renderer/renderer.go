package renderer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/identity"
)

// autonomy is the paragraph that tells the agent to go on by itself.
const autonomy = "Find a way to investigate all problems and answer all questions yourself. " +
	"Perform on behalf of the operator every step and requirement you can do yourself. " +
	"Do not spawn FU sub-tasks for Level-1 work — resolve them in the same cycle to completion."

// Settings are the renderer's settings.
type Settings struct {
	AutonomyLines []string `json:"autonomy_lines" jsonschema:"lines that replace the autonomy paragraph"`
}

// Validate refuses lines that would break the template.
func (s *Settings) Validate() error {
	if len(s.AutonomyLines) == 0 {
		return errors.New("autonomy_lines: must have at least one line")
	}
	for i, line := range s.AutonomyLines {
		if err := identity.Line(fmt.Sprintf("autonomy_lines[%d]", i), line); err != nil {
			return err
		}
	}
	return nil
}

// Spec returns the plugin.
func Spec() *sdk.Spec {
	settings := &Settings{AutonomyLines: []string{autonomy}}
	return &sdk.Spec{
		Name:      "replay-renderer",
		Version:   sdk.Version,
		Settings:  settings,
		Stateless: true,
		Renderer:  &renderer{settings: settings},
	}
}

type renderer struct{ settings *Settings }

// Render fills the template.
func (r *renderer) Render(_ context.Context, req *sdk.RenderRequest) (*sdk.RenderResult, error) {
	command, purpose, body := replayed(req)
	var prompt bytes.Buffer
	fmt.Fprintf(&prompt, "%s\n%s\n\n%s\n\ndone before:\n", command, purpose, strings.Join(r.settings.AutonomyLines, "\n"))
	prompt.Write(body)
	return &sdk.RenderResult{Command: command, Purpose: purpose, Prompt: prompt.Bytes()}, nil
}

// replayed returns what of a snapshot or a session goes into the template.
func replayed(req *sdk.RenderRequest) (command, purpose string, body []byte) {
	session := req.Session
	if session == nil {
		command, purpose = callToAction(req.Snapshot, req.Route)
		return command, purpose, req.Snapshot.Body
	}
	command = session.RecommendedNext
	if req.Route != nil {
		command = req.Route.Command
	}
	return command, session.NextAction, session.Body
}

// callToAction chooses the prompt's first two lines. The first option for the
// recommended command gives both; but a fresh route is authority and an option
// is not, so beside a route an option gives no more than the purpose.
func callToAction(s *sdk.Snapshot, route *sdk.Route) (command, purpose string) {
	command = s.RecommendedNext
	if route != nil {
		command = route.Command
	}
	recommended, _, hasArguments := strings.Cut(command, " ")
	if !hasArguments {
		command += " " + s.TaskID
	}
	purpose = fmt.Sprintf("continue %s after %s", s.TaskID, s.Command)

	for _, option := range s.Options {
		optionCommand, optionPurpose, _ := strings.Cut(option, " | ")
		if word, _, _ := strings.Cut(optionCommand, " "); word != recommended {
			continue
		}
		if route == nil {
			command = optionCommand
		}
		if optionPurpose != "" {
			purpose = optionPurpose
		}
		break
	}
	return command, purpose
}
