package runner

import (
	"slices"
	"strings"

	"github.com/stagehook/stagehook/runner/config"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/records"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// steps lists the steps of an event as the configuration has them.
func (r *Runner) steps(event EventName) []config.Step {
	var kinds []hook.Kind
	switch event {
	case Validate:
		kinds = []hook.Kind{hook.KindValidator}
	case Route:
		kinds = []hook.Kind{hook.KindValidator, hook.KindRevalidator}
	default:
		return r.config.Events[string(event)]
	}
	var steps []config.Step
	for _, step := range r.config.Events[string(Resume)] {
		if !slices.Contains(kinds, step.Kind) {
			continue
		}
		if step.Kind == hook.KindRevalidator {
			step.When = "" // it was asked for by name
		}
		steps = append(steps, step)
	}
	return steps
}

// The reasons to skip a step.
const (
	skipNoSnapshot  = "there is no snapshot"
	skipNoSession   = "there is no such session"
	skipNoAuthority = "there are no records and no projection"
	skipStage       = "it is for other stages"
)

// unmet returns why the step's own conditions keep it from running, empty when
// they hold.
func (s *state) unmet(step config.Step) string {
	if len(step.Stages) > 0 && (s.event.Answer == nil || !slices.Contains(step.Stages, s.event.Answer.Stage)) {
		return skipStage
	}
	switch {
	case step.When == config.WhenSnapshot && !s.fileExists():
		return s.noFile()
	case step.When == config.WhenRecordsOrProjection && !s.claimsAuthority():
		return skipNoAuthority
	}
	return ""
}

// predict lists the steps that will run as far as can be told before the first
// call. A prediction only decides which processes start early; each step's turn
// decides for itself.
func (s *state) predict(steps []config.Step) []config.Step {
	var running []config.Step
	readable := false // a validator will have read the file
	for _, step := range steps {
		if s.needsFile(step) && !readable || s.unmet(step) != "" {
			continue
		}
		readable = readable || step.Kind == hook.KindValidator
		running = append(running, step)
	}
	return running
}

// needsFile reports whether the step has no meaning without a snapshot or session.
// A route that is asked for by itself has.
func (s *state) needsFile(step config.Step) bool {
	return step.Kind == hook.KindRenderer || step.Kind == hook.KindRevalidator && s.event.Name == Resume
}

// fileExists reports whether anything is at the file's path. Doubts count as yes:
// what is there, or is gone by then, is for the validator to judge.
func (s *state) fileExists() bool {
	if s.exists == nil {
		exists, err := s.workspace.Exists(s.path())
		exists = exists || err != nil
		s.exists = &exists
	}
	return *s.exists
}

// claimsAuthority reports whether the task's route needs a revalidator's word. It
// is asked of the file before it is validated, and of what was validated; what was
// seen once counts to the end, since records may come and go meanwhile.
func (s *state) claimsAuthority() bool {
	s.authority = s.authority || s.hasProjection() || s.hasRecords()
	return s.authority
}

// hasProjection looks at what was validated, and before at the file. All that goes
// into the prompt counts, since an option becomes a line there, too.
func (s *state) hasProjection() bool {
	switch {
	case s.session != nil:
		return snapshot.HasProjection(s.session.Body) || strings.Contains(s.session.NextAction, snapshot.ProjectionStart)
	case s.snapshot != nil:
		return snapshot.HasProjection(s.snapshot.Body) || slices.ContainsFunc(s.snapshot.Options, func(option string) bool {
			return strings.Contains(option, snapshot.ProjectionStart)
		})
	}
	data, _, err := s.workspace.Read(s.path(), snapshot.MaxSessionBytes)
	return err == nil && snapshot.HasProjection(data)
}

// hasRecords reports whether one of the task's records exists. Doubts count as
// yes, so that they are refused and not waved through.
func (s *state) hasRecords() bool {
	for _, task := range s.routed() {
		for _, path := range records.Paths(task) {
			if exists, err := s.workspace.Exists(path); exists || err != nil {
				return true
			}
		}
	}
	return false
}
