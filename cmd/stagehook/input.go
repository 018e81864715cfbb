package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/stagehook/stagehook/runner"
)

// readAnswer reads the body and the options, whole and bounded, before any
// plugin starts.
func (s *session) readAnswer(ctx context.Context, o *stageExitOptions) error {
	body, err := s.readInput(ctx, o.bodyFile, runner.MaxBodyBytes)
	if err != nil {
		return fmt.Errorf("--body-file: %w", err)
	}
	o.answer.Body = body
	if o.optionsFile == "" {
		return nil
	}
	options, err := s.readInput(ctx, o.optionsFile, runner.MaxOptionsBytes)
	if err != nil {
		return fmt.Errorf("--options-file: %w", err)
	}
	o.answer.Options = runner.ParseOptions(options)
	return nil
}

// readInput reads a file, or standard input for "-". A pipe whose writer never
// comes or never ends is given up with the context.
func (s *session) readInput(ctx context.Context, name string, limit int) ([]byte, error) {
	type result struct {
		data []byte
		err  error
	}
	read := make(chan result, 1)
	go func() {
		data, err := s.readAll(name, limit)
		read <- result{data, err}
	}()
	select {
	case r := <-read:
		return r.data, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *session) readAll(name string, limit int) ([]byte, error) {
	in := s.in
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	data, err := io.ReadAll(io.LimitReader(in, int64(limit)+1))
	if err == nil && len(data) > limit {
		err = fmt.Errorf("%s is larger than %d bytes", name, limit)
	}
	return data, err
}
