//go:build unix

package runner_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkCrowd times 32 stage exits at once of one task, which take turns at its
// lock, against as many of different tasks, which only share the machine. The two
// run in turns; the ratio is the figure to look at.
func BenchmarkCrowd(b *testing.B) {
	const crowd = 32
	stagehook := build(b, "../cmd/stagehook")
	b.Setenv("XDG_CONFIG_HOME", b.TempDir())
	root := b.TempDir()
	body := filepath.Join(root, "answer.md")
	if err := os.WriteFile(body, []byte("All done.\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	rush := func(task func(i int) string) time.Duration {
		var commands [crowd]*exec.Cmd
		begin := time.Now()
		for i := range commands {
			commands[i] = exec.Command(stagehook, "stage-exit", "--root", root, "--task", task(i), "--stage", "plan",
				"--command", "/dr-plan", "--captured-by", "agent", "--recommended-next", "/dr-do", "--body-file", body)
			if err := commands[i].Start(); err != nil {
				b.Fatal(err)
			}
		}
		for i, command := range commands {
			if err := command.Wait(); err != nil {
				b.Errorf("number %d: %v", i, err)
			}
		}
		return time.Since(begin)
	}
	different := func(i int) string { return fmt.Sprintf("TUNE-%04d", i) }
	same := func(int) string { return "TUNE-9999" }
	rush(different) // so that both replace what is there
	rush(same)
	var one, many time.Duration
	for b.Loop() {
		one += rush(same)
		many += rush(different)
	}
	b.ReportMetric(float64(one.Microseconds())/1000/float64(b.N), "ms/one-task")
	b.ReportMetric(float64(many.Microseconds())/1000/float64(b.N), "ms/many-tasks")
	b.ReportMetric(float64(one)/float64(many), "ratio")
}
