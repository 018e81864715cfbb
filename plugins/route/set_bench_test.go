package route

import "testing"

// BenchmarkTenRecords shows what a usual set costs without the process around it:
// five revisions, and what they rest on.
func BenchmarkTenRecords(b *testing.B) {
	s := newSet("/dr-do", 5)
	if files := len(s.files); files != 12 { // with a file of evidence and an input
		b.Fatalf("the set has %d files", files)
	}
	root := s.store(b)
	b.ReportAllocs()
	for b.Loop() {
		if got := verdict(b, now, root, ""); got != s.token {
			b.Fatal(got)
		}
	}
}
