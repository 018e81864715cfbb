//go:build unix

package archiver

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk/snapshot"
)

func TestRegistryLinks(t *testing.T) {
	rows := registry("| SHOP | s | linked |")
	t.Run("inside the root", func(t *testing.T) {
		_, root := project(t)
		plant(t, root, "doc/AGENTS.md", rows)
		must(t, os.Symlink("doc/AGENTS.md", filepath.Join(root, registryFile)))
		wantArea(t, root, "linked")
	})
	t.Run("to nothing", func(t *testing.T) {
		above, root := project(t)
		plant(t, above, registryFile, rows)
		must(t, os.Symlink("nothing.md", filepath.Join(root, registryFile)))
		wantArea(t, root, "linked")
	})
	t.Run("to itself", func(t *testing.T) {
		_, root := project(t)
		must(t, os.Symlink(registryFile, filepath.Join(root, registryFile)))
		wantRefused(t, root, "")
	})
	t.Run("above the root", func(t *testing.T) {
		above, root := project(t)
		elsewhere := t.TempDir()
		plant(t, elsewhere, "AGENTS.md", rows)
		must(t, os.Symlink(filepath.Join(elsewhere, "AGENTS.md"), filepath.Join(above, registryFile)))
		wantArea(t, root, "linked")
	})
	t.Run("above the root, to itself", func(t *testing.T) {
		above, root := project(t)
		must(t, os.Symlink(registryFile, filepath.Join(above, registryFile)))
		wantArea(t, root, "general")
	})
}

// Nothing is read through a link that leads out of the root, and nothing waited
// for: the file counts as absent, which the user is told of.
func TestRegistryLinkLeadsOut(t *testing.T) {
	links := map[string][]string{ // from, to
		"a file":            {registryFile, "../elsewhere.md"},
		"nothing":           {registryFile, "../nothing.md"},
		"a FIFO":            {registryFile, "../fifo"},
		"an absolute path":  {registryFile, "/dev/null"},
		"a folder":          {registryFile, ".."},
		"by a link to it":   {registryFile, "AGENTS.md", "AGENTS.md", "../elsewhere.md"},
		"by a folder's one": {registryFile, "doc/elsewhere.md", "doc", ".."},
	}
	for name, pairs := range links {
		t.Run(name, func(t *testing.T) {
			above, root := project(t)
			plant(t, above, "elsewhere.md", registry("| SHOP | s | linked |", "| TUNE | t | linked |"))
			plant(t, root, snapshot.Path("SHOP-0002"), "body")
			plant(t, root, snapshot.Path(task), "body")
			must(t, syscall.Mkfifo(filepath.Join(above, "fifo"), 0o600))
			for pair := range slices.Chunk(pairs, 2) {
				must(t, os.Symlink(pair[1], filepath.Join(root, pair[0])))
			}
			wantWarned := func(id, area string, warnings ...string) {
				t.Helper()
				res, err := archive(t.Context(), t, root, id, "", "archive")
				if err != nil || !strings.Contains(res.Path, "/"+area+"/") || !slices.Equal(res.Warnings, warnings) {
					t.Errorf("got %+v, %v; want %s, %q", res, err, area, warnings)
				}
			}
			warning := filepath.Join(root, registryFile) + " is a symlink that is absolute or leads out of the root; it is passed over"
			wantWarned("SHOP-0001", "general", warning)
			plant(t, above, registryFile, registry("| SHOP | s | upstairs |"))
			wantWarned("SHOP-0002", "upstairs", warning)
			wantWarned(task, "framework") // which no registry has a say in
		})
	}
}

// Nobody writes to it, so an archiver that waited would wait for ever.
func TestRegistryIsAFIFO(t *testing.T) {
	above, root := project(t)
	for _, dir := range []string{above, root} {
		must(t, syscall.Mkfifo(filepath.Join(dir, registryFile), 0o600))
	}
	defer time.AfterFunc(time.Minute, func() { panic("it waits for the other end") }).Stop()
	wantRefused(t, root, "is no regular file")
	must(t, os.Remove(filepath.Join(root, registryFile)))
	wantArea(t, root, "general")
}

func TestRegistryIsASocket(t *testing.T) {
	above, root := project(t)
	t.Chdir(above) // the path of a socket is limited
	for _, name := range []string{registryFile, "project/" + registryFile} {
		socket, err := net.Listen("unix", name)
		must(t, err)
		defer socket.Close()
	}
	wantRefused(t, root, "")
	must(t, os.Remove(filepath.Join(root, registryFile)))
	wantArea(t, root, "general")
}

// What a user that permissions bind makes of a file that he may not read.
func TestUnreadableRegistry(t *testing.T) {
	above, root := project(t)
	for _, dir := range []string{above, root} {
		plant(t, dir, registryFile, registry("| SHOP | s | secret |"))
		must(t, os.Chmod(filepath.Join(dir, registryFile), 0))
	}
	asNobody(t, above, func() { wantRefused(t, root, "permission denied") })
	must(t, os.Remove(filepath.Join(root, registryFile)))
	asNobody(t, above, func() { wantArea(t, root, "general") })
}

// asNobody runs a function as a user that permissions bind and that owns what is
// in the folder. Only root has that choice; anybody else is such a user.
func asNobody(t *testing.T, dir string, run func()) {
	t.Helper()
	if os.Geteuid() == 0 {
		const nobody = 65534
		must(t, os.Chmod(filepath.Dir(dir), 0o755))
		must(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(path, nobody, nobody))
		}))
		must(t, syscall.Seteuid(nobody))
		defer syscall.Seteuid(0)
	}
	run()
}
