package workspace

import "io/fs"

// Kind says what a name in a directory is.
type Kind string

// The kinds. Anything that is none of the others is KindOther.
const (
	KindFile      Kind = "regular file"
	KindDirectory Kind = "directory"
	KindSymlink   Kind = "symlink"
	KindFIFO      Kind = "FIFO"
	KindSocket    Kind = "socket"
	KindDevice    Kind = "device"
	KindOther     Kind = "special file"
)

// KindError says that a name is not the kind of thing that was asked for. It is
// refused unopened and unchanged.
type KindError struct {
	Path      string // relative to the root, with forward slashes
	Got, Want Kind
}

func (e *KindError) Error() string {
	return e.Path + " is a " + string(e.Got) + ", not a " + string(e.Want)
}

func kindOf(mode fs.FileMode) Kind {
	switch mode.Type() {
	case 0:
		return KindFile
	case fs.ModeDir:
		return KindDirectory
	case fs.ModeSymlink:
		return KindSymlink
	case fs.ModeNamedPipe:
		return KindFIFO
	case fs.ModeSocket:
		return KindSocket
	case fs.ModeDevice, fs.ModeDevice | fs.ModeCharDevice:
		return KindDevice
	}
	return KindOther
}
