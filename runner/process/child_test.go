//go:build unix

package process

import (
	"os/exec"
	"testing"
	"time"
)

// go-plugin leaves a connection open that it is making when it learns that the
// process is gone. So it must not learn it before.
func TestWaitOutlastsDialing(t *testing.T) {
	p := newProcess(script(t, `exit 0`), t.TempDir())
	c := newChild(p, exec.Command(""))
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-c.exited
	waited := make(chan error)
	go func() { waited <- c.Wait(t.Context()) }()
	select {
	case <-waited:
		t.Error("Wait returned before go-plugin has connected")
	case <-time.After(50 * time.Millisecond):
		close(p.dialed)
		<-waited
	}
}
