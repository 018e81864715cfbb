package records

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"

	"github.com/stagehook/stagehook/sdk/identity"
)

// record is a file with the fields of its kind.
type record[T any] struct {
	path   string
	digest string
	taskID string // as the record has it
	fields T
}

// kind is how one kind of record is read.
type kind[T any] struct {
	name   string
	fields func(*mapping) T // those that are not in every record
}

// parse reads the bytes of a record.
func (k kind[T]) parse(data []byte, grammar *identity.Grammar) (taskID string, fields T, err error) {
	doc := &document{grammar: grammar}
	m := doc.open(data)
	m.constant("kind", k.name)
	if node := m.needed("schema_version"); m.scalar(node, "schema_version", "1", "!!int") != "1" && !absent(node) {
		doc.fail(node.Line, "schema_version must be 1")
	}
	taskID = m.taskID("task_id")
	fields = k.fields(m)
	m.finish()
	return taskID, fields, cmp.Or(doc.err, doc.missing)
}

// bytes returns the bytes of a record and their digest, or what is wrong with the
// file: a code and its detail.
func (k kind[T]) bytes(c *checker, path string) (data []byte, digest, code, detail string) {
	data, digest, err := readRecord(c.ctx, c.source, path)
	c.remember(path, head{data, len(data)}, digest, err)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", CodeMissing, "the " + k.name + " does not exist"
	case err != nil:
		return nil, "", CodeUnreadable, cause(path, err)
	}
	return data, digest, "", ""
}

// record reads the fields in the bytes of a record.
func (k kind[T]) record(c *checker, path string, data []byte, digest string) (r *record[T], code, detail string) {
	taskID, fields, err := k.parse(data, c.query.Grammar)
	if err != nil {
		return nil, CodeMalformed, err.Error()
	}
	return &record[T]{path: path, digest: digest, taskID: taskID, fields: fields}, "", ""
}

// read reads a record or returns what is wrong with it.
func (k kind[T]) read(c *checker, path string) (r *record[T], code, detail string) {
	data, digest, code, detail := k.bytes(c, path)
	if code != "" {
		return nil, code, detail
	}
	return k.record(c, path, data, digest)
}

// need reads a record that the check cannot do without, and refuses the route when
// there is none; missing is the code for a file that does not exist.
func need[T any](c *checker, k kind[T], path, missing string) *record[T] {
	r, code, detail := k.read(c, path)
	if code == CodeMissing {
		code = missing
	}
	if r == nil {
		c.fail(code, path, "%s", detail)
	}
	return r
}

// load reads one of the task's own records.
func load[T any](c *checker, k kind[T], path string) *record[T] {
	r := need(c, k, path, CodeMissing)
	if r != nil {
		c.checkTask(CodeTask, r.path, r.taskID, c.query.TaskID)
	}
	return r
}

func (c *checker) checkTask(code, path, taskID, want string) {
	c.check(taskID == want, code, path, "task_id", taskID, want)
}

// version names one revision of a brief or a decision, whatever it says.
type version struct {
	id       string
	revision int
}

func (v version) String() string { return fmt.Sprintf("%s@%d", v.id, v.revision) }

// recordRef names one revision by its content.
type recordRef struct {
	version
	digest string
}

func (r recordRef) String() string { return r.version.String() + " " + r.digest }

func (m *mapping) version() version {
	return version{id: m.identifier("id"), revision: m.number("revision")}
}

func (m *mapping) recordRef(key string) recordRef {
	ref := m.mapping(key)
	defer ref.finish()
	return recordRef{version: ref.version(), digest: ref.digest("digest")}
}
