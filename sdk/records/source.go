package records

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Source is where records are read from. Paths are relative to the workspace
// root, with forward slashes. It is used by several goroutines at once.
type Source interface {
	// Open opens a regular file. A symlink in any component, and anything that is
	// no regular file, must be an error; a missing file must be one for which
	// errors.Is(err, fs.ErrNotExist) holds.
	Open(path string) (io.ReadCloser, error)
	// Names lists what a folder holds, in any order, with the same rules.
	Names(folder string) ([]string, error)
}

// Changer is a [Source] that can tell whether what it gave out still belongs
// together. Without it a check may meet a mixture of what stood there before a
// change and after it.
type Changer interface {
	// Changed returns a path that was opened or listed since the last call and
	// holds something else by now, empty when there is none.
	Changed() (path string)
}

// The largest files that are read, in bytes, and the most of them in all, which
// keeps a check within the time that a revalidator has.
const (
	maxRecordBytes    = 256 << 10
	maxDecisionsBytes = 32 << 20
	maxInputBytes     = 64 << 20 // of evidence and of a brief's inputs
	maxInputsBytes    = 1 << 30
)

// errTooLarge says that a file is beyond its limit.
var errTooLarge = errors.New("too large")

// digestPrefix begins every digest; 64 lower-case hex digits follow.
const digestPrefix = "sha256:"

// Digest reads all of r and returns the SHA-256 of its bytes in the one spelling
// that records use: "sha256:" and 64 lower-case hex digits.
func Digest(r io.Reader) (string, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, r); err != nil {
		return "", err
	}
	return spell(sum.Sum(nil)), nil
}

func spell(sum []byte) string { return digestPrefix + hex.EncodeToString(sum) }

func isDigest(text string) bool {
	digits, ok := strings.CutPrefix(text, digestPrefix)
	return ok && len(digits) == 2*sha256.Size && strings.Trim(digits, "0123456789abcdef") == ""
}

// readRecord returns the bytes of a record and their digest.
func readRecord(ctx context.Context, source Source, path string) (data []byte, digest string, err error) {
	file, err := source.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	data, err = io.ReadAll(limited(ctx, file, maxRecordBytes))
	if err != nil {
		return nil, "", err
	}
	sum := sha256.Sum256(data)
	return data, spell(sum[:]), nil
}

// readInput returns the digest and the first bytes of a file that is no record and
// has at most limit bytes.
func readInput(ctx context.Context, source Source, path string, limit int) (start head, digest string, err error) {
	file, err := source.Open(path)
	if err != nil {
		return head{}, "", err
	}
	defer file.Close()
	digest, err = Digest(io.TeeReader(limited(ctx, file, limit), &start))
	return start, digest, err
}

// head keeps the first bytes that are written to it, as many as a record may have,
// and counts all.
type head struct {
	bytes []byte
	size  int
}

func (h *head) Write(data []byte) (int, error) {
	h.bytes = append(h.bytes, data[:min(len(data), maxRecordBytes-len(h.bytes))]...)
	h.size += len(data)
	return len(data), nil
}

// bounded reads until its limit, which is an error to pass, or until its context
// ends. It trusts no size that was found before: a file can grow while it is read.
type bounded struct {
	ctx   context.Context
	r     io.Reader
	limit int // bytes
	left  int
}

func limited(ctx context.Context, r io.Reader, limit int) io.Reader {
	return &bounded{ctx: ctx, r: r, limit: limit, left: limit}
}

func (b *bounded) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := b.r.Read(p)
	if b.left -= n; b.left < 0 {
		return 0, fmt.Errorf("%w: more than %d bytes", errTooLarge, b.limit)
	}
	return n, err
}
