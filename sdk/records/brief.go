package records

import "strconv"

// brief is a ProductBrief.
type brief struct {
	version
	inputs []input
}

// input is a file that a brief was written from.
type input struct {
	id, path string
	revision int
	digest   string
}

var briefKind = kind[brief]{name: "ProductBrief", fields: func(m *mapping) brief {
	b := brief{version: m.version()}
	for _, item := range m.mappings("inputs") {
		b.inputs = append(b.inputs, input{
			id:       item.identifier("id"),
			path:     item.path("path"),
			revision: item.number("revision"),
			digest:   item.digest("digest"),
		})
		item.finish()
	}
	return b
}}

// checkInputs compares the brief's inputs with the files.
func (c *checker) checkInputs(b *record[brief]) {
	for _, in := range b.fields.inputs {
		f := c.checkFile(CodeBriefInput, b.path, in.id, in.path, in.digest)
		if f == nil {
			continue
		}
		if f.frontErr != nil {
			c.fail(CodeBriefInput, b.path, "%s has a front matter that cannot be read: %s", in.id, f.frontErr)
		}
		revision := strconv.Itoa(in.revision)
		for _, own := range f.revisions {
			c.check(own == revision, CodeBriefInput, b.path, "revision of "+in.id, revision, own+", that of "+in.path)
		}
	}
}
