package exec

import (
	"bytes"
	"errors"
	"strings"

	"github.com/stagehook/stagehook/sdk/identity"
)

const (
	// maxAnswer bounds what is read of the program's standard output, in bytes.
	maxAnswer = 1 << 20
	// maxComplaint bounds what is kept of its standard error, in bytes.
	maxComplaint = 4 << 10
)

var errTooMuch = errors.New("too much output")

// answerBuffer keeps what the program prints. Beyond maxAnswer it gives up.
type answerBuffer struct {
	text     bytes.Buffer
	exceeded func() // called once there is too much
	over     bool
}

func (b *answerBuffer) Write(p []byte) (int, error) {
	if b.text.Len()+len(p) > maxAnswer {
		b.over = true
		b.exceeded()
		return 0, errTooMuch
	}
	return b.text.Write(p)
}

// tail keeps the end of what is written to it.
type tail struct{ kept []byte }

func (t *tail) Write(p []byte) (int, error) {
	all := append(t.kept, p[max(0, len(p)-maxComplaint):]...)
	t.kept = append(t.kept[:0], all[max(0, len(all)-maxComplaint):]...)
	return len(p), nil
}

func (t *tail) lastLine() string {
	text := strings.TrimSpace(strings.ToValidUTF8(string(t.kept), "\uFFFD"))
	return identity.Blank(text[strings.LastIndexByte(text, '\n')+1:])
}
