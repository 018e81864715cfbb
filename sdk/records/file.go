package records

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// file is what was found when a file was read.
type file struct {
	digest    string
	revisions []string // that its front matter says it has
	frontErr  error    // it has a front matter that cannot be read
	err       error    // the file itself could not be read
}

// remember keeps what was found at a path, so that nothing is opened again: the
// second time it might hold something else.
func (c *checker) remember(path string, start head, digest string, err error) *file {
	f := &file{digest: digest, err: err}
	if err == nil {
		f.revisions, f.frontErr = frontRevisions(start.bytes, start.size > len(start.bytes))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.files[path] = f
	return f
}

// checkFile compares a file that a record names by an ID, a path and a digest. It
// returns nil when there is no file that could be read.
func (c *checker) checkFile(code, record, id, name, digest string) *file {
	if !fs.ValidPath(name) {
		c.fail(CodeUnreadable, record, "the file of %s lies outside of the root: %s", id, name)
		return nil
	}
	f := c.files[name]
	if f == nil {
		limit := min(maxInputBytes, c.inputsLeft)
		start, digest, err := readInput(c.ctx, c.source, name, limit)
		if errors.Is(err, errTooLarge) && limit < maxInputBytes {
			err = fmt.Errorf("%w: with the files before it more than %d bytes", errTooLarge, maxInputsBytes)
		}
		c.inputsLeft -= min(start.size, limit)
		f = c.remember(name, start, digest, err)
	}
	switch {
	case errors.Is(f.err, fs.ErrNotExist):
		c.fail(code, record, "the file of %s does not exist: %s", id, name)
		return nil
	case f.err != nil:
		c.fail(CodeUnreadable, name, "%s", cause(name, f.err))
		return nil
	}
	c.check(f.digest == digest, code, record, "digest of "+id, digest, f.digest+", that of "+name)
	return f
}

// path returns the path of a file, in its shortest spelling. It may lead out of
// the root, which is for [checker.checkFile] to refuse.
func (m *mapping) path(key string) string {
	return m.formed(key, "the shortest path from the root, with forward slashes", func(text string) bool {
		return len(text) <= maxPathBytes && text == path.Clean(text) && text != "."
	})
}
