//go:build unix

package runner_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// build builds one of the module's programs.
func build(b *testing.B, pkg string) string {
	b.Helper()
	program := filepath.Join(b.TempDir(), filepath.Base(pkg))
	if output, err := exec.Command("go", "build", "-o", program, pkg).CombinedOutput(); err != nil {
		b.Fatalf("go build %s: %v\n%s", pkg, err, output)
	}
	return program
}

// timed runs a command and returns how long it took.
func timed(b *testing.B, program string, args ...string) time.Duration {
	b.Helper()
	elapsed, _ := measured(b, program, args...)
	return elapsed
}

// measured runs a command and returns how long it took and the memory, in
// bytes, that the largest of its processes had resident: of those it waited for
// and itself.
func measured(b *testing.B, program string, args ...string) (elapsed time.Duration, resident int64) {
	b.Helper()
	cmd := exec.Command(program, args...)
	begin := time.Now()
	output, err := cmd.CombinedOutput()
	elapsed = time.Since(begin)
	if err != nil {
		b.Fatalf("%s %v: %v\n%s", program, args, err, output)
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		resident = usage.Maxrss
		if runtime.GOOS == "linux" {
			resident *= 1024 // there it is in KiB
		}
	}
	return elapsed, resident
}

// BenchmarkCold times whole commands, from the start of stagehook to its end,
// against the barest go-plugin host with the same number of plugin processes.
// The two run in turns, so that a noisy machine does to one what it does to the
// other; the ratio is the figure to look at.
func BenchmarkCold(b *testing.B) {
	stagehook := build(b, "../cmd/stagehook")
	barest := build(b, "./barest")
	b.Setenv("XDG_CONFIG_HOME", b.TempDir())
	for _, c := range []struct {
		name, command, records string
		processes              int
	}{
		{"stage-exit", "stage-exit", "", 2},
		{"resume", "resume", "", 2},
		{"resume-with-records", "resume", "../cmd/stagehook/testdata/samples/records-valid", 3},
	} {
		b.Run(c.name, func(b *testing.B) {
			root := b.TempDir()
			if c.records != "" {
				if err := os.CopyFS(root, os.DirFS(c.records)); err != nil {
					b.Fatal(err)
				}
			}
			body := filepath.Join(root, "answer.md")
			if err := os.WriteFile(body, []byte("All done.\n"), 0o600); err != nil {
				b.Fatal(err)
			}
			task := []string{"--root", root, "--task", "TUNE-0254"}
			stageExit := append([]string{
				"stage-exit", "--stage", "plan", "--command", "/dr-plan", "--captured-by", "agent",
				"--recommended-next", "/dr-do", "--body-file", body,
			}, task...)
			timed(b, stagehook, stageExit...) // so that there is something to resume
			command := stageExit
			if c.command == "resume" {
				command = append([]string{"resume"}, task...)
			}
			var ours, theirs time.Duration
			var largest int64
			for b.Loop() {
				elapsed, resident := measured(b, stagehook, command...)
				ours += elapsed
				largest = max(largest, resident)
				theirs += timed(b, barest, strconv.Itoa(c.processes))
			}
			b.ReportMetric(float64(ours.Microseconds())/1000/float64(b.N), "ms/command")
			b.ReportMetric(float64(theirs.Microseconds())/1000/float64(b.N), "ms/barest")
			b.ReportMetric(float64(ours)/float64(theirs), "ratio")
			b.ReportMetric(float64(largest)/(1<<20), "MiB/process")
		})
	}
}
