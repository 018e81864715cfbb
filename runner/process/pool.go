package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
)

// Pool holds the running plugin processes of a host, at most one for each
// configured plugin. The zero value is ready. Close it; until then processes
// stay warm from call to call.
type Pool struct {
	mu      sync.Mutex
	sockets string
	running map[string]*started
	closed  bool
}

// started is a process that is being or has been started.
type started struct {
	process *Process
	ready   chan struct{} // closed when the start has succeeded or failed
	err     error
	cancel  context.CancelFunc
}

// ErrClosed says that the pool was closed.
var ErrClosed = errors.New("the plugins have been ended")

// Start begins to start the process, unless it runs already, and returns at
// once. [Pool.Get] has the result.
func (p *Pool) Start(command Command) {
	_, _ = p.begin(command) // Get repeats the error
}

// Get returns the running process, started now if it was not before or has ended
// since. It fails with an [*Error], with [ErrClosed] or with the error of ctx, and
// that last leaves the start to go on.
func (p *Pool) Get(ctx context.Context, command Command) (*Process, error) {
	s, err := p.begin(command)
	if err != nil {
		return nil, err
	}
	select {
	case <-s.ready:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if s.err != nil {
		return nil, s.err
	}
	return s.process, nil
}

// begin returns the process that is or was being started, or begins with a new
// one when there is none or it has died.
func (p *Pool) begin(command Command) (*started, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, ErrClosed
	}
	previous := p.running[command.Plugin]
	if previous != nil && previous.usable() {
		return previous, nil
	}
	if p.sockets == "" {
		dir, err := socketDir()
		if err != nil {
			return nil, &Error{Plugin: command.Plugin, What: fmt.Sprintf("no directory for its socket: %v", err)}
		}
		p.sockets = dir
	}
	if p.running == nil {
		p.running = map[string]*started{}
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &started{
		process: newProcess(command, p.sockets),
		ready:   make(chan struct{}),
		cancel:  cancel,
	}
	// Known to Close before it runs.
	p.running[command.Plugin] = s
	go func() {
		if previous != nil {
			previous.process.stop()
		}
		s.err = s.process.run(ctx)
		close(s.ready)
		if s.err != nil {
			s.process.stop()
		}
	}()
	return s, nil
}

func (s *started) usable() bool {
	select {
	case <-s.ready:
		return s.err == nil && s.process.alive()
	default:
		return true // about to be
	}
}

// Close ends all processes, side by side, and removes their sockets. Calls that
// are running end with an error.
func (p *Pool) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
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
	p.running = nil
	if p.sockets == "" {
		return nil
	}
	sockets := p.sockets
	p.sockets = ""
	return os.RemoveAll(sockets)
}
