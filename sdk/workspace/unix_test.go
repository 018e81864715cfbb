//go:build linux || darwin

package workspace

import (
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
)

func makeFIFO(t testing.TB, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSpecialFilesAreRefused(t *testing.T) {
	w := newWorkspace(t)
	dir := newDir(t, w, "d")
	path := filepath.Join(w.Root(), "d")
	plant(t, w.Root(), "d/file", "source")
	makeFIFO(t, filepath.Join(path, "fifo"))
	// A short name: the path of a socket is limited.
	t.Chdir(path)
	socket, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()

	for name, kind := range map[string]Kind{"fifo": KindFIFO, "socket": KindSocket} {
		before, err := os.Lstat(filepath.Join(path, name))
		if err != nil {
			t.Fatal(err)
		}
		_, _, read := dir.Read(name, 100)
		_, open := w.OpenDir("d/" + name)
		for call, err := range map[string]error{
			"Read":    read,
			"OpenDir": open,
			"Replace": dir.Replace(name, []byte("new")),
			"Move":    dir.Move(name, dir, "target"),
		} {
			if !isKind(err, kind) {
				t.Errorf("%s of a %s: %v, want a KindError", call, kind, err)
			}
		}
		if err := dir.Move("file", dir, name); err == nil {
			t.Errorf("Move onto a %s succeeded", kind)
		}
		after, err := os.Lstat(filepath.Join(path, name))
		if err != nil || !os.SameFile(before, after) {
			t.Errorf("the %s was touched: %v", kind, err)
		}
	}
	wantNames(t, path, "fifo", "file", "socket")
}

func TestDeviceIsRefused(t *testing.T) {
	if _, err := Open(os.DevNull); err == nil {
		t.Error("a device passed as a root")
	}
	w := openWorkspace(t, "/dev")
	if _, _, err := w.Read("null", 1); !isKind(err, KindDevice) {
		t.Errorf("Read of a device: %v, want a KindError", err)
	}
}

func TestOpenDoesNotWaitForAFIFO(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	makeFIFO(t, path)
	if _, err := Open(path); err == nil {
		t.Error("a FIFO passed as a root")
	}
}

// swapping exchanges what is at two paths, over and over, while it runs look a
// tens of thousands of times.
func swapping(t *testing.T, a, b string, look func()) {
	t.Helper()
	var swapper sync.WaitGroup
	stop := make(chan struct{})
	swapper.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				if err := exchange(a, b); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	defer swapper.Wait()
	defer close(stop)
	for range 20000 {
		look()
	}
}

func TestSwappedDirectoryIsNeverFollowed(t *testing.T) {
	w := newWorkspace(t)
	root := w.Root()
	plant(t, root, "d/marker", "")
	plant(t, root, "decoy/trap", "")
	symlink(t, "decoy", filepath.Join(root, "link"))
	makeFIFO(t, filepath.Join(root, "fifo"))

	for _, other := range []string{"link", "fifo"} {
		swapping(t, filepath.Join(root, "d"), filepath.Join(root, other), func() {
			dir, err := w.OpenDir("d")
			if err != nil {
				return
			}
			defer dir.Close()
			names, err := dir.Names()
			if err != nil || len(names) != 1 || names[0] != "marker" {
				t.Errorf("opened a directory that holds %q, %v", names, err)
			}
		})
		restore(t, w, "d", other, KindDirectory)
	}
}

func TestSwappedFileIsNeverFollowed(t *testing.T) {
	w := newWorkspace(t)
	root := w.Root()
	plant(t, root, "f", "right")
	plant(t, root, "decoy", "wrong")
	symlink(t, "decoy", filepath.Join(root, "link"))
	makeFIFO(t, filepath.Join(root, "fifo"))

	for _, other := range []string{"link", "fifo"} {
		swapping(t, filepath.Join(root, "f"), filepath.Join(root, other), func() {
			data, _, err := w.Read("f", 100)
			if err == nil && string(data) != "right" {
				t.Errorf("read %q behind a %s", data, other)
			}
		})
		restore(t, w, "f", other, KindFile)
	}
}

// restore undoes an odd number of exchanges.
func restore(t *testing.T, w *Workspace, name, other string, kind Kind) {
	t.Helper()
	info, err := os.Lstat(filepath.Join(w.Root(), name))
	if err == nil && kindOf(info.Mode()) != kind {
		err = exchange(filepath.Join(w.Root(), name), filepath.Join(w.Root(), other))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A reader without the lock meets a replacement in progress and reads on.
func TestReaderMeetsNoGapInAReplacement(t *testing.T) {
	w := newWorkspace(t)
	dir := newDir(t, w, "d")
	if err := dir.Replace("file", []byte("0")); err != nil {
		t.Fatal(err)
	}
	var writer sync.WaitGroup
	writer.Go(func() {
		for range 200 {
			if err := dir.Replace("file", []byte("0")); err != nil {
				t.Error(err)
			}
		}
	})
	defer writer.Wait()
	for range 2000 {
		if data, _, err := dir.Read("file", 100); string(data) != "0" {
			t.Fatalf("Read = %q, %v", data, err)
		}
	}
}

func wantMode(t testing.TB, path string, want fs.FileMode) {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != want {
		t.Errorf("%s has mode %v, want %v", path, info.Mode().Perm(), want)
	}
}

func TestOnlySnapshotsIsClosedToOthers(t *testing.T) {
	w := newWorkspace(t)
	snapshots := filepath.Join(w.Root(), "datarim", "snapshots")
	plant(t, w.Root(), "datarim/snapshots/A-0001.snapshot.md", "old")
	for _, dir := range []string{w.Root(), filepath.Dir(snapshots), snapshots} {
		if err := os.Chmod(dir, 0o775); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := w.MakeDir("datarim/snapshots", 0o700)
	if err != nil {
		t.Fatal(err)
	}
	dir.Close()
	wantMode(t, snapshots, 0o775)

	lock := mustLock(t, w, "A-0001")
	if err := lock.Dir().Replace("A-0001.snapshot.md", []byte("new")); err != nil {
		t.Fatal(err)
	}
	wantMode(t, w.Root(), 0o775)
	wantMode(t, filepath.Dir(snapshots), 0o775)
	wantMode(t, snapshots, 0o700)
	wantMode(t, filepath.Join(snapshots, "A-0001.snapshot.md"), 0o600)
	wantMode(t, filepath.Join(snapshots, ".lock.A-0001"), 0o700)
}

func TestRestrictGrantsNothing(t *testing.T) {
	w := newWorkspace(t)
	newDir(t, w, "datarim/snapshots")
	snapshots := filepath.Join(w.Root(), "datarim", "snapshots")
	if err := os.Chmod(snapshots, 0o555); err != nil {
		t.Fatal(err)
	}
	dir, err := w.OpenDir("datarim/snapshots")
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if err := dir.restrict(); err != nil {
		t.Fatal(err)
	}
	wantMode(t, snapshots, 0o500)
}
