package process

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Pool holds the running plugin processes of a host, at most one for each
// configured plugin. The zero value is ready. Close it; until then processes
// stay warm from call to call.
type Pool struct {
	mu      sync.Mutex
	running map[string]*Starting
	closed  bool
	closing chan struct{}  // closed by Close
	retired sync.WaitGroup // processes that no new call gets
}

// Starting is a process that is being or has been started.
type Starting struct {
	process *Process
	ready   chan struct{} // closed when the start has succeeded or failed
	err     error
	cancel  context.CancelFunc
}

// ErrClosed says that the pool was closed.
var ErrClosed = errors.New("the plugins have been ended")

// Start begins to start the process and returns at once. A process that runs
// already, or is about to, is taken; one that has failed or ended is not.
func (p *Pool) Start(command Command) *Starting {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return failed(ErrClosed)
	}
	previous := p.running[command.Plugin]
	if previous != nil && previous.usable() {
		return previous
	}
	base, err := socketBase()
	if err != nil {
		return failed(&Error{Plugin: command.Plugin, What: fmt.Sprintf("no folder for its socket: %v", err), Hint: hintSockets})
	}
	if p.running == nil {
		p.running = map[string]*Starting{}
		p.closing = make(chan struct{})
		p.retired.Go(func() { sweepSockets(base) })
	}
	if previous != nil {
		p.retired.Go(func() { previous.process.retire(p.closing) })
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &Starting{
		process: newProcess(command, base),
		ready:   make(chan struct{}),
		cancel:  cancel,
	}
	// Known to Close before it runs.
	p.running[command.Plugin] = s
	go func() {
		s.err = s.process.run(ctx)
		close(s.ready)
		if s.err != nil {
			s.process.stop()
		}
	}()
	return s
}

// failed is a start that has come to nothing.
func failed(err error) *Starting {
	s := &Starting{err: err, ready: make(chan struct{})}
	close(s.ready)
	return s
}

// Wait returns the process once it is ready. It fails with an [*Error], with
// [ErrClosed] or with the error of ctx, and that last leaves the start to go on.
func (s *Starting) Wait(ctx context.Context) (*Process, error) {
	select {
	case <-s.ready:
		return s.process, s.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *Starting) usable() bool {
	select {
	case <-s.ready:
		return s.err == nil && s.process.alive()
	default:
		return true // about to be
	}
}

// Close ends all processes, side by side, and returns when they are gone. Calls
// that are running end with an error.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closing != nil && !p.closed {
		close(p.closing)
	}
	p.closed = true
	var ending sync.WaitGroup
	for _, s := range p.running {
		ending.Go(func() {
			s.cancel()
			<-s.ready
			s.process.stop()
		})
	}
	ending.Wait()
	p.retired.Wait()
	p.running = nil
}
