package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/stagehook/stagehook/sdk/workspace"
)

// DefaultSystemFile is the configuration file of the whole machine.
const DefaultSystemFile = "/etc/stagehook/config.yaml"

// MaxFileBytes bounds a configuration file. The shipped defaults, comments
// included, are below a tenth of it.
const MaxFileBytes = 64 << 10

// Sources says where to look for the configuration. The environment is the
// process's own.
type Sources struct {
	// Root is the workspace, the parent of datarim/; empty when there is none.
	Root string
	// File is the argument of --config; empty when it was not given. Unlike the
	// others this file must exist.
	File string
	// Flags are the values of flags by the key that they set, such as
	// "log_level". They may set the keys that hold one value.
	Flags map[string]string
	// SystemFile is the machine's file; empty means [DefaultSystemFile].
	SystemFile string
}

// Path is a place where a configuration file is looked for.
type Path struct {
	Layer  Layer
	Path   string // absolute
	Exists bool
}

// Paths lists the places where Load looks for files, in the order of the layers.
func Paths(s Sources) []Path {
	paths := s.places()
	for i := range paths {
		_, err := os.Lstat(paths[i].Path)
		paths[i].Exists = err == nil
	}
	return paths
}

func (s Sources) places() []Path {
	var paths []Path
	add := func(layer Layer, path string) {
		// Abs fails only when the working directory is gone; opening the
		// relative path then says so.
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
		paths = append(paths, Path{Layer: layer, Path: path})
	}
	if s.SystemFile != "" {
		add(LayerSystem, s.SystemFile)
	} else {
		add(LayerSystem, DefaultSystemFile)
	}
	if folder, err := userFolder("XDG_CONFIG_HOME", ".config"); err == nil {
		add(LayerUser, filepath.Join(folder, "config.yaml"))
	}
	if s.Root != "" {
		add(LayerWorkspace, filepath.Join(s.Root, "datarim", "stagehook.yaml"))
	}
	if s.File != "" {
		add(LayerFile, s.File)
	}
	return paths
}

// userFolder returns stagehook's folder below the one that variable names, else
// below home/fallback. As the XDG specification wants it, a relative path in the
// variable is ignored; it would depend on where the user stands.
func userFolder(variable, fallback string) (string, error) {
	if base := os.Getenv(variable); filepath.IsAbs(base) {
		return filepath.Join(base, "stagehook"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, fallback, "stagehook"), nil
}

// read returns the bytes of the file at p, nil when there is none. The error
// leaves the path out.
func (p Path) read() ([]byte, error) {
	var data []byte
	var err error
	if p.Layer == LayerWorkspace {
		data, err = readWorkspace(p.Path)
	} else {
		data, err = readFile(p.Path)
	}
	if errors.Is(err, fs.ErrNotExist) && p.Layer != LayerFile {
		return nil, nil
	}
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err
	}
	return data, err
}

func readFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readBounded(file)
}

// readWorkspace reads ROOT/datarim/stagehook.yaml. A workspace is somebody
// else's data: nothing there may lead out of it or keep the reader waiting. A
// root or a datarim that is no directory, or a link to one, or may not be
// entered, has no such file; what is wrong with it is for the event to say.
func readWorkspace(path string) ([]byte, error) {
	folder, name := filepath.Split(filepath.Clean(path))
	ws, err := workspace.Open(filepath.Dir(filepath.Clean(folder)))
	if err != nil {
		return nil, fs.ErrNotExist
	}
	defer ws.Close()
	data, _, err := ws.Read(workspace.Folder+"/"+name, MaxFileBytes)
	var (
		kind  *workspace.KindError
		large *workspace.TooLargeError
		inner *fs.PathError
	)
	switch {
	case errors.As(err, &kind) && kind.Path == workspace.Folder,
		errors.As(err, &inner) && inner.Path == workspace.Folder:
		return nil, fs.ErrNotExist
	case errors.As(err, &kind):
		return nil, errors.New("is not a regular file")
	case errors.As(err, &large):
		return nil, errTooLarge
	}
	return data, err
}

var errTooLarge = fmt.Errorf("is larger than %d bytes", MaxFileBytes)

func readBounded(file io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(file, MaxFileBytes+1))
	if err == nil && len(data) > MaxFileBytes {
		err = errTooLarge
	}
	return data, err
}
