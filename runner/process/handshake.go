package process

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
)

// maxHandshake bounds the first line of a plugin's standard output. A handshake
// with a certificate is a fourth of it.
const maxHandshake = 4 << 10

// handshake reads a plugin's standard output for go-plugin. That gets the first
// line only: it would stop reading at a long line, and the plugin would then
// block when it prints.
type handshake struct {
	pipe *os.File
	rest io.Writer // takes what follows the first line

	mu    sync.Mutex
	text  []byte
	ended bool
}

// Read reads the first line, and the rest of the output past the caller.
func (h *handshake) Read(buffer []byte) (int, error) {
	for {
		n, err := untilDeadline{h.pipe}.Read(buffer)
		n, tooLong := h.take(buffer[:n])
		if tooLong {
			err = io.EOF
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// take returns how many of the bytes belong to the first line.
func (h *handshake) take(data []byte) (n int, tooLong bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended {
		_, _ = h.rest.Write(data) // never fails
		return 0, false
	}
	line, rest, ended := bytes.Cut(data, []byte{'\n'})
	if len(h.text)+len(line) > maxHandshake {
		line, ended = line[:maxHandshake-len(h.text)], false
		tooLong = true
	}
	h.text = append(h.text, line...)
	if !ended {
		return len(line), tooLong
	}
	h.ended = true
	_, _ = h.rest.Write(rest)
	return len(line) + 1, false
}

// String is the first line, as far as it has come.
func (h *handshake) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.TrimSpace(string(h.text))
}

// Close closes the pipe.
func (h *handshake) Close() error { return h.pipe.Close() }

// untilDeadline reads a pipe whose read deadline stands for its end.
type untilDeadline struct{ pipe *os.File }

func (u untilDeadline) Read(buffer []byte) (int, error) {
	n, err := u.pipe.Read(buffer)
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, os.ErrClosed) {
		err = io.EOF
	}
	return n, err
}
