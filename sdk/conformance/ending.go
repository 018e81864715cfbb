package conformance

import (
	"context"
	"fmt"
	"runtime"
	"syscall"
)

func endRules() []rule {
	return []rule{
		{name: "shutdown", check: ends(func(ctx context.Context, p *process) error { return p.shutdown(ctx) }),
			holds: "asked to end it ends"},
		{name: "terminate", check: ends(func(_ context.Context, p *process) error { return p.cmd.Process.Signal(syscall.SIGTERM) }),
			holds: "SIGTERM ends it", applies: func(*suite) bool { return runtime.GOOS != "windows" }},
		{name: "host-death", check: ends(loseHost), holds: "it ends when its host is gone"},
		{name: "stdout", check: checkStdout, holds: "it prints nothing on standard output behind the handshake"},
	}
}

// ends makes a check that the process ends when it is told to in one way, while
// every other way of telling it is kept from it.
func ends(tell func(context.Context, *process) error) func(context.Context, *suite) error {
	return func(ctx context.Context, s *suite) error {
		p, err := s.open(ctx)
		if err != nil {
			return err
		}
		defer s.close(p)
		told := tell(ctx, p)
		if p.ended(ctx, endLimit) {
			return nil
		}
		if told != nil {
			return fmt.Errorf("it did not end within %s: %w", endLimit, told)
		}
		return fmt.Errorf("it did not end within %s", endLimit)
	}
}

// loseHost leaves of the host what a kill leaves of it: nothing.
func loseHost(_ context.Context, p *process) error {
	_ = p.conn.Close()
	return p.lifeline.Close()
}

// checkStdout looks at what all processes before have printed.
func checkStdout(_ context.Context, s *suite) error {
	if s.printed.size > 0 {
		return fmt.Errorf("it printed %d bytes on standard output behind the handshake, which begin with %.80q; print to standard error", s.printed.size, s.printed.text)
	}
	return nil
}
