package snapshot

import (
	"fmt"
	"strconv"
	"time"

	"github.com/stagehook/stagehook/sdk/identity"
)

// RenderOptions are what the configuration says about rendering.
type RenderOptions struct {
	// MaxBytes caps the whole file, in bytes. 0, or more than the constant
	// MaxBytes, means that constant.
	MaxBytes int
	// Marker is the last line of a body that was cut. Empty means the constant
	// Marker.
	Marker string
	// KeepCTA cuts a body in its middle, so that the CTA block at its end stays
	// whole.
	KeepCTA bool
}

// Stored is a snapshot as its file holds it.
type Stored struct {
	Snapshot
	// Warnings say what else was done to the body than cutting it in the usual
	// place, a line each.
	Warnings []string
}

// SizeError says that a header leaves no room for a truncated body.
type SizeError struct {
	Size int // of the smallest file with this header, in bytes
	Cap  int // the cap in force, in bytes
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("rendered snapshot is %d bytes; exceeds %d-byte cap", e.Size, e.Cap)
}

// Render returns the file that holds s, and s as it reads back from there: with
// SizeBytes and Truncated set (what s says of them is ignored) and Body as it
// was stored, a part of file. The body is cleaned as by [CleanBody], and cut when
// the file would exceed the cap.
//
// Of a body that is cut the file holds the longest prefix that ends on a whole
// rune, the closing line of a code fence when the cut is inside one, and the
// marker on a line of its own. With KeepCTA the body's CTA block follows, byte
// for byte, and the marker once more: the first shows where the hole is, the last
// line says that there is one. When there is no such block, or no room for it,
// the body is cut as without KeepCTA, with a warning.
//
// Truncated becomes true exactly when the body's last line is a marker. That is
// so after a cut, and also for a body that fits but was cut before it came here:
// it is stored unchanged, and its own last line says that it is not whole. So a
// reader can hold the field to the text, and no body is refused.
//
// The header's values must have passed package identity. Only what would break
// the header is checked again: a value that does not stay on one line is an
// [*identity.ValueError]. A header too long for the cap is a [*SizeError].
func Render(s Snapshot, o RenderOptions) (file []byte, stored Stored, err error) {
	if o.MaxBytes == 0 || o.MaxBytes > MaxBytes {
		o.MaxBytes = MaxBytes
	}
	if o.Marker == "" {
		o.Marker = Marker
	}
	if err := identity.Line("marker", o.Marker); err != nil {
		return nil, Stored{}, err
	}
	if err := checkLines(&s); err != nil {
		return nil, Stored{}, err
	}
	if len(s.Options) == 0 {
		s.Options = nil
	}
	s.CapturedAt = s.CapturedAt.UTC().Truncate(time.Second)
	stored.Snapshot = s
	if err := stored.setBody(s.Body, o); err != nil {
		return nil, Stored{}, err
	}
	file = appendHeader(make([]byte, 0, stored.SizeBytes), &stored.Snapshot)
	start := len(file)
	file = append(file, stored.Body...)
	stored.Body = file[start:len(file):len(file)]
	return file, stored, nil
}

// setBody sets the body as the file can hold it, and the fields that follow from
// it. The options' defaults are filled in.
func (s *Stored) setBody(body []byte, o RenderOptions) error {
	body, changed := CleanBody(body)
	if changed {
		s.Warnings = append(s.Warnings, "the body held invalid UTF-8 or NUL; replaced by U+FFFD")
	}
	s.Body = body
	s.Truncated = endsWithMarker(body, o.Marker)
	s.SizeBytes = fixedPoint(sizelessHeader(s.Snapshot) + len(body))
	if s.SizeBytes <= o.MaxBytes {
		return nil
	}
	s.Truncated = true
	header := sizelessHeader(s.Snapshot)
	// No file that declares its size in fewer digits can be longer than this
	// leaves.
	room := o.MaxBytes - header - digits(o.MaxBytes)
	if len(emptyTail(o.Marker)) > room {
		return &SizeError{Size: fixedPoint(header + len(emptyTail(o.Marker))), Cap: o.MaxBytes}
	}
	s.Body = s.cut(body, room, o)
	if lost := len(Projections(body)) - len(Projections(s.Body)); lost > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("research projections were cut off, %d of them: no reader will know of them", lost))
	}
	s.SizeBytes = fixedPoint(header + len(s.Body))
	return nil
}

// cut cuts body to at most room bytes, which are enough for the marker.
func (s *Stored) cut(body []byte, room int, o RenderOptions) []byte {
	if o.KeepCTA {
		cut, err := truncateMiddle(body, room, o.Marker)
		if err == nil {
			return cut
		}
		s.Warnings = append(s.Warnings, err.Error()+", so it was cut at its end")
	}
	cut, _ := truncate(body, room, o.Marker)
	return cut
}

// sizelessHeader returns the header's length without the digits of size_bytes.
func sizelessHeader(s Snapshot) int {
	s.SizeBytes = 0
	return len(appendHeader(make([]byte, 0, 1024), &s)) - len("0")
}

// fixedPoint returns the smallest size that counts its own digits, for a file
// that is rest bytes long without them.
func fixedPoint(rest int) int {
	for d := 1; ; d++ {
		if digits(rest+d) == d {
			return rest + d
		}
	}
}

func digits(n int) int { return len(strconv.Itoa(n)) }
