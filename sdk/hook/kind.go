package hook

import "slices"

// Kind says what a plugin does. Each kind is one interface with one method.
type Kind string

// The kinds of plugin.
const (
	KindWriter      Kind = "writer"
	KindValidator   Kind = "validator"
	KindRevalidator Kind = "revalidator"
	KindRenderer    Kind = "renderer"
	KindArchiver    Kind = "archiver"
	KindObserver    Kind = "observer"
)

// Kinds lists every kind, in the order in which an event meets them.
func Kinds() []Kind {
	return []Kind{KindWriter, KindValidator, KindRevalidator, KindRenderer, KindArchiver, KindObserver}
}

// Valid reports whether k is one of [Kinds].
func (k Kind) Valid() bool { return slices.Contains(Kinds(), k) }
