package process

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
)

func init() {
	behaviours["files"] = func(context.Context, []string) ([]byte, error) { return json.Marshal(openFiles()) }
}

// openFiles tells what the descriptors of this process stand for.
func openFiles() map[int]string {
	files := map[int]string{}
	links, _ := filepath.Glob("/proc/self/fd/*")
	for _, link := range links {
		fd, _ := strconv.Atoi(filepath.Base(link))
		if target, err := os.Readlink(link); err == nil {
			files[fd] = target
		}
	}
	return files
}

// wantOwnFiles checks what the behaviour "files" has answered: three pipes and
// what a Go program opens by itself. It returns the files that are neither.
func wantOwnFiles(t *testing.T, answer string) (others []string) {
	t.Helper()
	var files map[int]string
	if err := json.Unmarshal([]byte(answer), &files); err != nil {
		t.Fatalf("%v in %q", err, answer)
	}
	for fd, target := range files {
		kind, _, _ := strings.Cut(target, ":")
		switch {
		case fd < 3:
			if kind != "pipe" {
				t.Errorf("descriptor %d is %s", fd, target)
			}
		case kind == "pipe", kind == "socket", kind == "anon_inode": // go-plugin's and the poller's
		case strings.HasPrefix(target, "/sys/fs/cgroup/"), strings.HasPrefix(target, "/proc/"): // the scheduler's
		default:
			others = append(others, target)
		}
	}
	if len(files) < 4 {
		t.Errorf("descriptors are %v", files)
	}
	return others
}

// A plugin inherits no file of its host, even if the host was itself started with
// one.
func TestPluginInheritsNoFiles(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	host := hostCommand("files")
	host.ExtraFiles = []*os.File{file, writer}
	output, err := host.Output()
	if err != nil {
		t.Fatal(err)
	}
	answer := strings.SplitN(string(output), "\n", 3)[2]
	if others := wantOwnFiles(t, answer); others != nil {
		t.Errorf("the plugin has %q", others)
	}
	if pipe := openFiles()[int(writer.Fd())]; strings.Contains(answer, pipe) {
		t.Errorf("the plugin has the host's %s", pipe)
	}
}

// The host closes what it opens for a process, however that ends.
func TestHostKeepsNoFiles(t *testing.T) {
	// A file that is collected as garbage is closed as well.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	use := func() {
		for _, command := range []Command{as("plugin", "good"), script(t, `exit 3`), running("/no/such")} {
			var pool Pool
			pool.Start(command).Wait(t.Context())
			closePool(t, &pool)
		}
	}
	use() // opens what stays open, such as the poller
	before := openFiles()
	for range 3 {
		use()
	}
	if after := openFiles(); len(after) > len(before) {
		t.Errorf("open were %v, and now are %v", before, after)
	}
}
