package records

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
)

// Query says which task's records are checked, and against what.
type Query struct {
	TaskID  string            // has passed the grammar
	Grammar *identity.Grammar // judges the task IDs in records; never nil
	Body    []byte            // of the snapshot or session; nil without one
	// SessionID is that of the session whose body Body is, empty for the task's
	// snapshot. A session may hold projections of other tasks, which are not judged.
	SessionID string
	Now       time.Time
}

// Check is one comparison that was made.
type Check struct {
	OK   bool
	Code string // of the refusal; empty when OK
	Path string // of the record that makes the claim, relative to the root
	What string // was compared: a field of the record, mostly; empty when there was nothing to compare
	// Detail says what is wrong, in one line; empty when OK.
	Detail string
}

// Report is what the records of a task say.
type Report struct {
	// Result is fresh, with the route, or holds every refusal, sorted by path and
	// code. From a thousand with the same code on, the rest is only counted.
	Result hook.RevalidateResult
	// Checks lists what was compared, in the order of the comparisons. Every
	// refusal of Result is one of them.
	Checks []Check
}

// maxTries is how often records are read that change meanwhile.
const maxTries = 3

// Verify reads and checks all records of a task. It opens no file twice, unless
// the source is a [Changer] and records that were found sound have changed by then.
// It fails only when ctx ends: whatever is wrong with records is a refusal.
func Verify(ctx context.Context, source Source, query Query) (*Report, error) {
	for try := 1; ; try++ {
		c := &checker{
			ctx: ctx, source: source, query: query,
			inputsLeft: maxInputsBytes, files: map[string]*file{}, refused: map[string]int{},
		}
		result := c.run()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		changer, ok := source.(Changer)
		if ok && result.Fresh() {
			if path := changer.Changed(); path != "" {
				if try < maxTries {
					continue
				}
				c.fail(CodeUnreadable, path, "changed while the records were read, %d times in a row", try)
				result = hook.RevalidateResult{Refusals: c.allRefusals()}
			}
		}
		return &Report{Result: result, Checks: c.checks}, nil
	}
}

type checker struct {
	ctx    context.Context
	source Source
	query  Query

	inputsLeft int // how many bytes of evidence and inputs may still be read

	mu    sync.Mutex // guards files while decisions are read
	files map[string]*file

	checks   []Check
	refusals []hook.Refusal
	refused  map[string]int // how often, by code
}

// run makes all checks. One that needs a record which is missing or malformed, or
// a head of the chain that is not clear, is left out: that has its refusal already.
func (c *checker) run() hook.RevalidateResult {
	id := c.query.TaskID
	entry := load(c, evidenceKind, EvidencePath(id))
	own := load(c, contractKind, ContractPath(id))
	written := load(c, briefKind, BriefPath(id))
	decided := c.readChain()
	if decided.partial && decided.head != nil && (entry == nil || entry.fields.decision.version != decided.head.fields.version) {
		decided.head = nil // the true one may be in a file that could not be read
	}

	var parent *record[contract]
	if own != nil {
		parent = c.checkParents(own)
	}
	var grant *record[authorization]
	if head := decided.head; head != nil {
		c.checkDecision(head, own, written)
		grant = c.checkAuthorization(head, own, parent)
	}
	if entry != nil {
		c.checkHead(entry, decided)
		if own != nil {
			c.checkContractRef(entry.path, "acceptance", entry.fields.acceptance, own)
		}
	}
	c.checkProjections(decided)
	// Last, so that a record which also serves as evidence has been read as one.
	if entry != nil {
		c.checkEvidence(entry, own)
	}
	if written != nil {
		c.checkInputs(written)
	}
	if len(c.refused) > 0 {
		return hook.RevalidateResult{Refusals: c.allRefusals()}
	}
	// Without a refusal every record was read, and the chain has a head.
	return freshResult(c.query.Now, decided, own, parent, written, grant)
}

// check notes that a record's field was compared, and refuses the route if it is
// not what it must be.
func (c *checker) check(ok bool, code, path, what, is, must string) {
	if !ok {
		c.refuse(Check{Code: code, Path: path, What: what}, "%s is %s; it must be %s", what, is, must)
		return
	}
	c.checks = append(c.checks, Check{OK: true, Path: path, What: what})
}

// fail refuses the route for something that has no value to compare.
func (c *checker) fail(code, path, format string, args ...any) {
	c.refuse(Check{Code: code, Path: path}, format, args...)
}

// maxRefusals bounds how many refusals with the same code are kept: a folder can
// hold any number of strangers' files.
const maxRefusals = 1000

func (c *checker) refuse(check Check, format string, args ...any) {
	if c.refused[check.Code]++; c.refused[check.Code] > maxRefusals {
		return
	}
	check.Path = shownPath(check.Path)
	check.Detail = oneLine(fmt.Sprintf(format, args...), maxDetailBytes)
	c.checks = append(c.checks, check)
	c.refusals = append(c.refusals, hook.Refusal{Code: check.Code, Path: check.Path, Detail: check.Detail})
}

// allRefusals returns the refusals in their order, each once.
func (c *checker) allRefusals() []hook.Refusal {
	for _, code := range slices.Sorted(maps.Keys(c.refused)) {
		if times := c.refused[code]; times > maxRefusals {
			c.refused[code] = 0 // makes room for this one
			c.fail(code, "", "%d more refusals with this code", times-maxRefusals)
		}
	}
	slices.SortFunc(c.refusals, func(a, b hook.Refusal) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Detail, b.Detail))
	})
	return slices.Compact(c.refusals)
}
