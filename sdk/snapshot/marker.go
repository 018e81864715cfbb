package snapshot

import "bytes"

// Marker is the default last line of a truncated snapshot.
const Marker = "<!-- snapshot-truncated, full response in session jsonl -->"

// MarkerRussian is a marker that older writers left; readers know it too.
const MarkerRussian = "<!-- snapshot-truncated, full ответ см. session jsonl -->"

// endsWithMarker reports whether the body's last line is a known marker: one of
// the two above or the configured one, which may be empty. It decides what
// "truncated" says, for writer and reader alike.
func endsWithMarker(body []byte, configured string) bool {
	last := bytes.TrimSuffix(body, []byte("\n"))
	last = last[bytes.LastIndexByte(last, '\n')+1:]
	switch string(last) {
	case Marker, MarkerRussian:
		return true
	case "":
		return false
	}
	return string(last) == configured
}
