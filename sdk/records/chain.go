package records

import (
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// chain is all decisions of a task. In a sound one each revision supersedes the
// one before it, back to the first, and one, the head, is superseded by none.
type chain struct {
	folder    string
	decisions []*record[decision] // by path; files with the same bytes count once
	byVersion map[version]*record[decision]
	head      *record[decision] // nil when it is not clear which it is
	partial   bool              // a file could not be read, so that any decision may be in it
}

// readChain reads all decisions of the task. What is wrong with a file, and with
// how the files hang together, is refused on the way.
func (c *checker) readChain() *chain {
	ch := &chain{folder: DecisionFolder(c.query.TaskID), byVersion: map[version]*record[decision]{}}
	names, err := c.source.Names(ch.folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.fail(CodeUnreadable, ch.folder, "%s", cause(ch.folder, err))
		return ch
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !strings.HasSuffix(name, ".yaml") || strings.HasPrefix(name, ".") // as a shell's *.yaml
	})
	if len(names) == 0 {
		c.fail(CodeMissing, ch.folder, "there is no decision")
		return ch
	}
	slices.Sort(names)
	c.readDecisions(ch, names)
	c.link(ch)
	return ch
}

// content is what one content of a decision's file says, in however many files it
// stands.
type content struct {
	path         string // of the first of them
	data         []byte
	digest       string
	record       *record[decision]
	code, detail string // what is wrong with it
}

// readDecisions reads the files side by side, since a chain can be long, and then
// parses each content once.
func (c *checker) readDecisions(ch *chain, names []string) {
	read := make([]*content, len(names)) // by file
	var size atomic.Int64
	c.sideBySide(len(names), func(i int) {
		f := &content{path: ch.folder + "/" + names[i]}
		if size.Load() <= maxDecisionsBytes {
			f.data, f.digest, f.code, f.detail = decisionKind.bytes(c, f.path)
			size.Add(int64(len(f.data)))
		}
		read[i] = f
	})
	if size.Load() > maxDecisionsBytes {
		c.fail(CodeUnreadable, ch.folder, "the decisions have more than %d bytes in all", maxDecisionsBytes)
		return
	}
	if c.ctx.Err() != nil {
		return
	}
	byDigest := map[string]*content{}
	var different []*content
	for _, f := range read {
		if f.code == "" && byDigest[f.digest] == nil {
			byDigest[f.digest] = f
			different = append(different, f)
		}
	}
	c.sideBySide(len(different), func(i int) {
		f := different[i]
		f.record, f.code, f.detail = decisionKind.record(c, f.path, f.data, f.digest)
		f.data = nil
	})
	for _, f := range read {
		says := f
		if first := byDigest[f.digest]; first != nil {
			says = first
		}
		switch {
		case says.record == nil:
			ch.partial = true
			c.fail(says.code, f.path, "%s", says.detail)
		case says == f:
			c.checkTask(CodeTask, f.path, f.record.taskID, c.query.TaskID)
			ch.decisions = append(ch.decisions, f.record)
		}
	}
}

// sideBySide calls do for each index below n, as long as the context lasts.
func (c *checker) sideBySide(n int, do func(i int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && c.ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	workers.Wait()
}

// link finds the head, and refuses whatever is no single line from a first
// revision to it.
func (c *checker) link(ch *chain) {
	for _, r := range ch.decisions {
		if other := ch.byVersion[r.fields.version]; other != nil {
			c.fail(CodeChainFork, r.path, "%s is also in %s, with other content", r.fields.version, other.path)
			continue
		}
		ch.byVersion[r.fields.version] = r
	}
	next := map[version]*record[decision]{} // after a version
	var first *record[decision]
	for _, r := range ch.decisions {
		if r.fields.supersedes == nil {
			first = c.checkFirst(r, first)
			continue
		}
		before := r.fields.supersedes.version
		if other := next[before]; other == nil {
			next[before] = r
		} else if other.fields.version != r.fields.version { // which has its refusal
			c.fail(CodeChainFork, r.path, "%s supersedes %s, as does %s", r.fields.version, before, other.fields.version)
		}
		c.checkLink(ch, r)
	}
	var heads []*record[decision]
	for _, r := range ch.decisions {
		if next[r.fields.version] == nil {
			heads = append(heads, r)
		}
	}
	if len(heads) == 1 {
		ch.head = heads[0]
	}
	c.checkCycles(ch)
}

// checkFirst checks a decision that supersedes none, and returns the first such.
func (c *checker) checkFirst(r, first *record[decision]) *record[decision] {
	c.check(r.fields.revision == 1, CodeChainBroken, r.path, "revision of a first decision", strconv.Itoa(r.fields.revision), "1")
	if first == nil {
		return r
	}
	if first.fields.version != r.fields.version { // which has its refusal
		c.fail(CodeChainFork, r.path, "%s supersedes none, as does %s", r.fields.version, first.fields.version)
	}
	return first
}

// checkLink checks what a decision says of the one before it.
func (c *checker) checkLink(ch *chain, r *record[decision]) {
	named := r.fields.supersedes
	want := 1
	if named.id == r.fields.id {
		want = named.revision + 1
	}
	c.check(r.fields.revision == want, CodeChainBroken, r.path, "revision", strconv.Itoa(r.fields.revision),
		strconv.Itoa(want)+", since it supersedes "+named.version.String())
	before := ch.byVersion[named.version]
	if before == nil {
		c.fail(CodeChainBroken, r.path, "%s supersedes %s, which is missing", r.fields.version, named.version)
		return
	}
	c.check(*named == ref(before), CodeChainBroken, r.path, "supersedes", named.String(), ref(before).String())
}

// checkCycles refuses decisions that supersede each other in a ring. Digests rule
// that out in truth, so what makes one up has wrong digests as well.
func (c *checker) checkCycles(ch *chain) {
	walks := map[*record[decision]]int{} // in which walk a decision was met
	for walk, r := range ch.decisions {
		for r != nil && r.fields.supersedes != nil {
			if met, ok := walks[r]; ok {
				if met == walk {
					c.fail(CodeChainCycle, r.path, "%s supersedes itself in the end", r.fields.version)
				}
				break
			}
			walks[r] = walk
			r = ch.byVersion[r.fields.supersedes.version]
		}
	}
}

// lineage lists the decisions of a sound chain from the first to the head.
func (ch *chain) lineage() []string {
	list := []string{ref(ch.head).version.String()}
	for before := ch.head.fields.supersedes; before != nil; before = ch.byVersion[before.version].fields.supersedes {
		list = append(list, before.version.String())
	}
	slices.Reverse(list)
	return list
}
