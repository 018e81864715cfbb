package process

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

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

// wantOwnFiles checks that a process has three pipes and, beside what a Go program
// opens by itself, only the file named pinned.
func wantOwnFiles(t *testing.T, files map[int]string, pinned string) {
	t.Helper()
	for fd, target := range files {
		own := strings.HasPrefix(target, "pipe:") || strings.HasPrefix(target, "socket:") ||
			strings.HasPrefix(target, "anon_inode:") || strings.HasPrefix(target, "/sys/fs/cgroup/") ||
			strings.HasPrefix(target, "/proc/")
		if fd < 3 {
			own = strings.HasPrefix(target, "pipe:")
		}
		if !own && target != pinned {
			t.Errorf("descriptor %d is %s", fd, target)
		}
	}
	if len(files) < 4 || files[0] == files[1] || files[0] == files[2] {
		t.Errorf("descriptors are %v", files)
	}
}
