package workspace

import (
	"fmt"
	"os"
	"testing"
)

// A folder that is not kept is closed again, and not left to the garbage
// collector.
func TestFilesKeepsNoMoreFoldersOpen(t *testing.T) {
	files, root := newFiles(t)
	open := func() int {
		names, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	before := open()
	for i := range 4 * maxFolders {
		name := fmt.Sprintf("d%d/file", i)
		plant(t, root, name, "x")
		wantFile(t, files, name, "x")
	}
	if more := open() - before; more > maxFolders+10 {
		t.Errorf("%d more descriptors are open, of folders no more than %d", more, maxFolders)
	}
}
