package records

import (
	"errors"
	"fmt"
	"strings"

	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// projection is a line of a snapshot's body that says which decision the answer
// was written under. It proves nothing; but one that knows a later decision than
// the records do shows that these were rolled back.
type projection struct {
	taskID   string
	decision version
}

// parseProjection reads a line "<!-- research-projection: KEY=VALUE … -->" with
// the keys task, decision (ID@REVISION) and digest in any order.
func parseProjection(line string, grammar *identity.Grammar) (p projection, err error) {
	text, ok := strings.CutPrefix(strings.TrimSpace(line), snapshot.ProjectionStart)
	text, closed := strings.CutSuffix(text, "-->")
	if !ok || !closed {
		return p, errors.New("the projection does not end with -->")
	}
	values := map[string]string{}
	for _, attribute := range strings.Fields(text) {
		key, value, _ := strings.Cut(attribute, "=")
		if _, twice := values[key]; twice {
			return p, fmt.Errorf("the projection holds %q twice", key)
		}
		values[key] = value
	}
	id, revision, _ := strings.Cut(values["decision"], "@")
	n, ok := parseNumber(revision)
	switch {
	case len(values) != 3:
		return p, errors.New("the projection must hold task, decision and digest, and nothing else")
	case grammar.TaskID(values["task"]) != nil:
		return p, errors.New("the projection's task is no task ID")
	case !ok || !isName(id):
		return p, errors.New("the projection's decision is not of the form ID@REVISION")
	case !isDigest(values["digest"]):
		return p, errors.New("the projection's digest is not " + digestForm)
	}
	return projection{values["task"], version{id, n}}, nil
}

// checkProjections compares the projections in the body with the chain.
func (c *checker) checkProjections(ch *chain) {
	path := snapshot.FilePath(c.query.TaskID, c.query.SessionID)
	for _, line := range snapshot.Projections(c.query.Body) {
		p, err := parseProjection(line, c.query.Grammar)
		if err != nil {
			c.fail(CodeMalformed, path, "%s", err)
			continue
		}
		if c.query.SessionID != "" && p.taskID != c.query.TaskID {
			continue
		}
		c.check(p.taskID == c.query.TaskID, CodeTask, path, "the projection's task", p.taskID, c.query.TaskID)
		if ch.head != nil && p.taskID == c.query.TaskID {
			c.check(ch.byVersion[p.decision] != nil, CodeProjectionAhead, path,
				"the projection's decision", p.decision.String(), "one of the chain up to "+ch.head.fields.String())
		}
	}
}
