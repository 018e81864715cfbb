package records

import (
	"bytes"
	"testing"

	"github.com/stagehook/stagehook/sdk/snapshot"
)

// FuzzVerify puts any bytes in the place of a file. Whatever they are, the report
// is fresh or says why not, and only the valid bytes give the valid token.
func FuzzVerify(f *testing.F) {
	paths := []string{atContract, atParent, atGrant, atBrief, atFirst, atHead, atEvidence, atInsights}
	files := newSet().linked()
	for i, path := range paths {
		f.Add(uint8(i), []byte(files[path]))
		f.Add(uint8(i), []byte("---\n"+files[path]+"...\n"))
	}
	for _, text := range []string{"", "{{},<<}", "a: &a [*a]", "%YAML 1.2\n---\n", "a: !\n", "\xff\xfea\x00", "a: \u0085b", "---\nrevision: &4 5\n---\n"} {
		f.Add(uint8(0), []byte(text))
	}
	want := verify(f, newMemory(files), query()).Result
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		files, path := newSet().linked(), paths[int(which)%len(paths)]
		same := files[path] == string(data)
		files[path] = string(data)
		result := verify(t, newMemory(files), query()).Result
		if result.Fresh() && !same && result.Route.Token == want.Route.Token && path != atEvidence {
			t.Error("another record gives the same token")
		}
	})
}

// FuzzProjection puts any text in the snapshot's body.
func FuzzProjection(f *testing.F) {
	f.Add([]byte(projectionOf("DR-1@2")))
	f.Add([]byte(projectionOf("DR-1@3") + projectionOf("DR-2@02")))
	f.Add([]byte("<!-- research-projection: task=TUNE-0255 task= = -->\r\n<!-- research-projection:-->"))
	files := newSet().linked()
	f.Fuzz(func(t *testing.T, body []byte) {
		q := query()
		q.Body = body
		result := verify(t, newMemory(files), q).Result
		if !result.Fresh() && !snapshot.HasProjection(body) {
			t.Errorf("refused without a projection: %+v", result.Refusals)
		}
		// An unparsed line that begins a projection is never let through.
		if result.Fresh() && snapshot.HasProjection(body) && !bytes.Contains(body, []byte("task=TUNE-0254")) {
			t.Error("fresh with a projection that names no task")
		}
	})
}
