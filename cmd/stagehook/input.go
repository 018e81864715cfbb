package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/stagehook/stagehook/runner"
)

// readAnswer reads the body and the options, bounded in size and together in
// time, before any plugin starts. It returns what the operator should know.
func (s *session) readAnswer(ctx context.Context, timeout time.Duration, o *stageExitOptions) (warnings []string, err error) {
	late := fmt.Errorf("did not end within %s, the input_timeout", timeout)
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, late)
	defer cancel()
	body, whole, err := s.readInput(ctx, o.bodyFile, runner.MaxBodyBytes)
	if err != nil {
		return nil, fmt.Errorf("--body-file: %w", err)
	}
	if !whole {
		warnings = append(warnings, fmt.Sprintf("--body-file: only the first %d bytes were read, the rest was not", len(body)))
	}
	o.answer.Body = body
	if o.optionsFile == "" {
		return warnings, nil
	}
	options, whole, err := s.readInput(ctx, o.optionsFile, runner.MaxOptionsBytes)
	if err == nil && !whole {
		err = fmt.Errorf("%s is larger than %d bytes", inputName(o.optionsFile), runner.MaxOptionsBytes)
	}
	if err != nil {
		return nil, fmt.Errorf("--options-file: %w", err)
	}
	o.answer.Options, err = runner.ParseOptions(options)
	return warnings, err
}

// isStandardInput reports whether a name of a file stands for standard input. By
// its path it could not be opened where it is a socket, as some callers have it.
func isStandardInput(name string) bool {
	return name == "-" || name == "/dev/stdin" || name == "/dev/fd/0"
}

// inputName is the name of a file for people.
func inputName(name string) string {
	if isStandardInput(name) {
		return "standard input"
	}
	return name
}

// readInput reads a file to its end or the last whole character within limit
// bytes, and says which. What is blocked, such as a pipe whose writer never
// comes or never ends, is given up with the context.
func (s *session) readInput(ctx context.Context, name string, limit int) (data []byte, whole bool, err error) {
	type result struct {
		data []byte
		err  error
	}
	read := make(chan result, 1)
	go func() {
		// One byte more says whether there is more.
		data, err := s.readAtMost(name, limit+1)
		read <- result{data, err}
	}()
	select {
	case r := <-read:
		if len(r.data) <= limit {
			return r.data, true, r.err
		}
		return wholeRunes(r.data, limit), false, r.err
	case <-ctx.Done():
		return nil, false, fmt.Errorf("%s %w", inputName(name), context.Cause(ctx))
	}
}

func (s *session) readAtMost(name string, most int) ([]byte, error) {
	in := s.in
	if !isStandardInput(name) {
		file, err := openInput(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	return io.ReadAll(io.LimitReader(in, int64(most)))
}

// openInput opens what the user may have meant as a file. It is looked at before,
// since a device can act on being opened, and after, since it may have been
// swapped in between. A link is the user's own choice.
func openInput(name string) (*os.File, error) {
	if !isInherited(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EBADF}
	}
	if info, err := os.Stat(name); err == nil {
		if err := checkInput(name, info); err != nil {
			return nil, err
		}
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = checkInput(name, info)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// checkInput takes regular files and FIFOs, and the null device, which people
// name for an empty file.
func checkInput(name string, info fs.FileInfo) error {
	kind := "special file"
	switch mode := info.Mode(); {
	case mode.IsRegular(), mode.Type() == fs.ModeNamedPipe:
		return nil
	case mode.IsDir():
		kind = "directory"
	case mode&fs.ModeSocket != 0:
		kind = "socket"
	case mode&fs.ModeDevice != 0:
		if null, err := os.Stat(os.DevNull); err == nil && os.SameFile(info, null) {
			return nil
		}
		kind = "device"
	}
	return fmt.Errorf("%s is a %s, not a file", name, kind)
}

// wholeRunes cuts text, which is longer than limit, to the characters that end
// within it.
func wholeRunes(text []byte, limit int) []byte {
	for end := limit; end > limit-utf8.UTFMax; end-- {
		if utf8.RuneStart(text[end]) {
			return text[:end]
		}
	}
	return text[:limit] // it is no UTF-8
}
