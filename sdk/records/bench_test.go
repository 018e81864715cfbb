package records

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// extend makes the chain of a set as long as it is told.
func (s set) extend(revisions int) {
	head := atHead
	for n := 3; n <= revisions; n++ {
		path := fmt.Sprintf("%s/DR-1.r%d.yaml", atFolder, n)
		s[path] = decisionText("DR-1", n, supersedes("DR-1", n-1, head))
		head = path
	}
	for _, path := range []string{atEvidence, atGrant} {
		s.replace(path, "id: DR-1, revision: 2, digest: \"<"+atHead, fmt.Sprintf("id: DR-1, revision: %d, digest: \"<%s", revisions, head))
	}
}

// store writes a set to a directory.
func (s set) store(b testing.TB) Source {
	root := b.TempDir()
	for path, text := range s {
		path = filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return openDir(b, root)
}

// BenchmarkVerify reads from a file system. The contract wants 10,000 revisions in
// less than a second; memory grows with the number.
func BenchmarkVerify(b *testing.B) {
	for _, revisions := range []int{2, 1_000, 10_000, 20_000} {
		b.Run(fmt.Sprintf("revisions=%d", revisions), func(b *testing.B) {
			s := newSet()
			s.extend(revisions)
			source := s.linked().store(b)
			runtime.GC()
			b.ReportAllocs()
			for b.Loop() {
				report, err := Verify(b.Context(), source, query())
				if err != nil || !report.Result.Fresh() {
					b.Fatal(report, err)
				}
			}
		})
	}
}
