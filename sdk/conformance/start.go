package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/host2plugin"
)

func startRules() []rule {
	return []rule{
		{name: "cookie", check: checkCookie, holds: "started by hand it says what it is, on standard error, and ends with another exit code than 0"},
		{name: "describe", check: checkDescribe, holds: "with the argument describe it prints its description as one JSON object"},
		{name: "handshake", check: checkHandshake, gate: true, holds: "it prints the handshake first and listens where the host told it to"},
		{name: "configure", check: checkConfigure, gate: true, holds: "it takes its settings and says of itself what describe says"},
	}
}

// handLimit is for a program that has nothing to do but to say what it is.
const handLimit = startLimit / 2

func checkCookie(ctx context.Context, s *suite) error {
	p, err := s.spawn(false)
	if err != nil {
		return err
	}
	defer s.close(p)
	// By hand there is no lifeline either, and a terminal's input does not end.
	switch {
	case !p.ended(ctx, handLimit):
		return fmt.Errorf("started without the cookie of a host it was still running after %s", handLimit)
	case p.stdout.started():
		return errors.New("started without the cookie of a host it printed to standard output, which is for a host")
	case p.cmd.ProcessState.ExitCode() == 0:
		return errors.New("started without the cookie of a host it ended with exit code 0, as if all were well")
	case p.stderr.String() == "":
		return errors.New("started without the cookie of a host it said nothing on standard error; it must say what it is")
	}
	return ctx.Err()
}

func checkDescribe(ctx context.Context, s *suite) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	argv := append(slices.Clone(s.plugin.Command), "describe")
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = host2plugin.Environ(nil)
	cmd.WaitDelay = endLimit
	setGroup(cmd)
	out, errOut := &bounded{stop: cancel}, &tail{}
	cmd.Stdout, cmd.Stderr = out, errOut
	err := cmd.Start()
	if err == nil {
		err = cmd.Wait()
		killGroup(cmd.Process.Pid)
	}
	switch {
	case out.over:
		return fmt.Errorf("it printed more than %d bytes", maxDescription)
	case ctx.Err() != nil:
		return fmt.Errorf("it did not end within %s", startLimit)
	case err != nil:
		return fmt.Errorf("with the argument describe: %w%s", cause(err), errOut.said())
	}
	var d hook.Description
	decoder := json.NewDecoder(bytes.NewReader(out.text))
	if err := decoder.Decode(&d); err != nil {
		return fmt.Errorf("it printed %.80q, no JSON description: %w", out.text, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("it printed more than one JSON object")
	}
	switch {
	case d.Name == "" || d.Version == "" || len(d.Kinds) == 0:
		return errors.New("its description lacks name, version or kinds")
	case !slices.Contains(d.Protocols, hook.ProtocolVersion):
		return fmt.Errorf("its description has the protocols %v; this one is %d", d.Protocols, hook.ProtocolVersion)
	}
	s.described = &d
	return nil
}

func checkHandshake(ctx context.Context, s *suite) error {
	p, err := s.connect(ctx)
	if err != nil {
		return err
	}
	s.close(p)
	return nil
}

func checkConfigure(ctx context.Context, s *suite) error {
	p, err := s.connect(ctx)
	if err != nil {
		return err
	}
	defer s.close(p)
	s.description, err = p.configure(ctx, s.plugin.Settings)
	if err != nil {
		return p.explain(err)
	}
	d, said := s.described, s.description
	switch {
	case d == nil: // its own check says so
	case d.Name != said.Name || d.Version != said.Version:
		return fmt.Errorf("it is %s %s, and describes itself as %s %s", said.Name, said.Version, d.Name, d.Version)
	case !sameKinds(d.Kinds, said.Kinds):
		return fmt.Errorf("it serves %v, and describes itself as %v", said.Kinds, d.Kinds)
	case d.Stateless != said.Stateless:
		return fmt.Errorf("it says stateless %t, and describes itself as stateless %t", said.Stateless, d.Stateless)
	}
	return nil
}

// sameKinds compares in any order.
func sameKinds(a, b []hook.Kind) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// started reports whether anything was printed.
func (o *stdout) started() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.sent || len(o.text) > 0
}
