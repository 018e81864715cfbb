//go:build unix

package runner_test

import (
	"bufio"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk/hook"
)

// BenchmarkStart times a plugin process made with the SDK, from its start to its
// handshake, against the barest go-plugin binary, in turns.
func BenchmarkStart(b *testing.B) {
	ours, theirs := build(b, "./barest/plugin"), build(b, "./barest")
	dir := b.TempDir()
	start := func(program, cookie string) time.Duration {
		cmd := exec.Command(program)
		cmd.Env = []string{cookie, "PLUGIN_PROTOCOL_VERSIONS=1", "PLUGIN_UNIX_SOCKET_DIR=" + dir}
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			b.Fatal(err)
		}
		begin := time.Now()
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		line, err := bufio.NewReader(stdout).ReadString('\n')
		elapsed := time.Since(begin)
		_ = cmd.Process.Kill() // it has not ended yet
		_ = cmd.Wait()         // it was killed
		if err != nil || !strings.HasPrefix(line, "1|1|unix|") {
			b.Fatalf("%s: the handshake is %q, error %v", program, line, err)
		}
		return elapsed
	}
	var sdk, barest time.Duration
	for b.Loop() {
		sdk += start(ours, hook.CookieKey+"="+hook.CookieValue)
		barest += start(theirs, "BAREST=plugin")
	}
	b.ReportMetric(float64(sdk.Microseconds())/1000/float64(b.N), "ms/sdk")
	b.ReportMetric(float64(barest.Microseconds())/1000/float64(b.N), "ms/barest")
	b.ReportMetric(float64(sdk)/float64(barest), "ratio")
}
