package route

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkRevalidate shows what a chain costs, and what a crowd of strangers in
// the task's own folder of decisions does: no more than "listing".
func BenchmarkRevalidate(b *testing.B) {
	for _, c := range []struct{ revisions, strangers int }{{2, 0}, {10_000, 0}, {2, 100_000}} {
		b.Run(fmt.Sprintf("revisions=%d/strangers=%d", c.revisions, c.strangers), func(b *testing.B) {
			s := newSet("/dr-do", c.revisions)
			root := s.store(b)
			crowd(b, root, atFolder, ".notes", c.strangers)
			b.ReportAllocs()
			for b.Loop() {
				if got := verdict(b, now, root, ""); got != s.token {
					b.Fatal(got)
				}
			}
		})
	}
	b.Run("listing=100000", func(b *testing.B) {
		root := b.TempDir()
		crowd(b, root, atFolder, ".notes", 100_000)
		for b.Loop() {
			if _, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(atFolder))); err != nil {
				b.Fatal(err)
			}
		}
	})
}
