//go:build unix && !linux

package process

import (
	"path/filepath"
	"strconv"
	"testing"
)

// openFiles has the descriptors of this process; what they stand for is not
// known here.
func openFiles() map[int]string {
	files := map[int]string{}
	links, _ := filepath.Glob("/dev/fd/*")
	for _, link := range links {
		fd, _ := strconv.Atoi(filepath.Base(link))
		files[fd] = link
	}
	return files
}

func wantOwnFiles(*testing.T, map[int]string, string) {}
