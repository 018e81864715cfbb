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
// Truncated becomes true exactly when the body's last line is a marker. That is
// so after a cut, and also for a body that fits but was cut before it came here:
// it is stored unchanged, and its own last line says that it is not whole. So a
// reader can hold the field to the text, and no body is refused.
//
// The header's values must have passed package identity. Only what would break
// the header is checked again: a value that does not stay on one line is an
// [*identity.ValueError]. A header too long for the cap is a [*SizeError].
func Render(s Snapshot, o RenderOptions) (file []byte, stored Snapshot, err error) {
	limit, marker := o.MaxBytes, o.Marker
	if limit == 0 || limit > MaxBytes {
		limit = MaxBytes
	}
	if marker == "" {
		marker = Marker
	}
	if err := identity.Line("marker", marker); err != nil {
		return nil, Snapshot{}, err
	}
	if err := checkLines(&s); err != nil {
		return nil, Snapshot{}, err
	}
	if len(s.Options) == 0 {
		s.Options = nil
	}
	s.CapturedAt = s.CapturedAt.UTC().Truncate(time.Second)
	s.Body, _ = CleanBody(s.Body)
	s.Truncated = endsWithMarker(s.Body, marker)
	s.SizeBytes = fixedPoint(sizelessHeader(s) + len(s.Body))
	if s.SizeBytes > limit {
		if err := s.fit(limit, marker); err != nil {
			return nil, Snapshot{}, err
		}
	}
	file = appendHeader(make([]byte, 0, s.SizeBytes), &s)
	start := len(file)
	file = append(file, s.Body...)
	s.Body = file[start:len(file):len(file)]
	return file, s, nil
}

// fit cuts the body so that the file is at most limit bytes long.
func (s *Snapshot) fit(limit int, marker string) error {
	s.Truncated = true
	header := sizelessHeader(*s)
	// No file that declares its size in fewer digits can be longer than this
	// leaves.
	room := limit - header - digits(limit)
	body, ok := truncate(s.Body, room, marker)
	if !ok {
		return &SizeError{Size: fixedPoint(header + len(emptyTail(marker))), Cap: limit}
	}
	s.Body = body
	s.SizeBytes = fixedPoint(header + len(body))
	return nil
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
