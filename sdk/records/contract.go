package records

import "fmt"

// contract is an AcceptanceContract: what a task is to reach, and what it may do
// by itself.
type contract struct {
	revision int
	parent   *parentRef // nil without a parent
	scope    []string
	criteria map[string]bool // by ID
}

// parentRef names the contract of the parent task.
type parentRef struct{ taskID, digest string }

var contractKind = kind[contract]{name: "AcceptanceContract", fields: func(m *mapping) contract {
	c := contract{revision: m.number("revision"), scope: m.identifiers("scope"), criteria: map[string]bool{}}
	if m.has("parent") {
		parent := m.mapping("parent")
		c.parent = &parentRef{taskID: parent.taskID("task_id"), digest: parent.digest("digest")}
		parent.finish()
	}
	for _, item := range m.mappings("criteria") {
		c.criteria[item.identifier("id")] = true
		item.prose("text")
		item.finish()
	}
	return c
}}

// contractRef names one revision of a task's own contract.
type contractRef struct {
	revision int
	digest   string
}

func (r contractRef) String() string { return fmt.Sprintf("revision %d %s", r.revision, r.digest) }

func (m *mapping) contractRef(key string) contractRef {
	ref := m.mapping(key)
	defer ref.finish()
	return contractRef{revision: ref.number("revision"), digest: ref.digest("digest")}
}

// checkContractRef checks that a record names the contract as it is today.
func (c *checker) checkContractRef(path, key string, named contractRef, own *record[contract]) {
	is := contractRef{revision: own.fields.revision, digest: own.digest}
	c.check(named == is, CodeAcceptanceStale, path, key, named.String(), is.String())
}

// maxParents bounds how many generations a task may have above it.
const maxParents = 64

// checkParents walks from a task's contract to its parent's and on, and returns
// the parent's; nil without one, or without one that can be read.
func (c *checker) checkParents(own *record[contract]) (parent *record[contract]) {
	seen := map[string]bool{own.path: true}
	for child := own; child != nil && child.fields.parent != nil; {
		ref := child.fields.parent
		path := ContractPath(ref.taskID)
		switch {
		case seen[path]:
			c.fail(CodeParentMismatch, child.path, "the parent %s makes a cycle", ref.taskID)
			return parent
		case len(seen) > maxParents:
			c.fail(CodeParentMismatch, child.path, "%s has more than %d parents above it", c.query.TaskID, maxParents)
			return parent
		}
		seen[path] = true
		child = c.loadParent(child, path)
		if parent == nil {
			parent = child
		}
	}
	return parent
}

func (c *checker) loadParent(child *record[contract], path string) *record[contract] {
	ref := child.fields.parent
	parent := need(c, contractKind, path, CodeParentMissing)
	if parent == nil {
		return nil
	}
	c.checkTask(CodeTask, parent.path, parent.taskID, ref.taskID)
	c.check(parent.digest == ref.digest, CodeParentMismatch, child.path, "parent", ref.digest, parent.digest+", that of "+ref.taskID)
	return parent
}
