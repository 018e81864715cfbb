package records

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// changing is a source that says a number of times that it has changed.
type changing struct {
	*memory
	times int
	then  func()
}

func (c *changing) Changed() string {
	if c.times == 0 {
		return ""
	}
	c.times--
	c.then()
	return atBrief
}

// A mixture of two states is none: what changes while it is read is read again,
// and refused when it does not come to rest.
func TestRecordsThatChangeMeanwhile(t *testing.T) {
	source := &changing{memory: newMemory(newSet().linked()), times: maxTries - 1, then: func() {}}
	if report := verify(t, source, query()); !report.Result.Fresh() {
		t.Errorf("records at rest are refused: %v", refusals(report))
	}
	source.times = maxTries
	report := verify(t, source, query())
	if got := refusals(report); len(got) != 1 || got[0] != atBrief+" "+CodeUnreadable || report.Result.Route != nil {
		t.Errorf("got %v", got)
	}
	source.times, source.then = 1, func() { delete(source.set, atContract) }
	if report := verify(t, source, query()); report.Result.Fresh() {
		t.Error("what was there the first time is still fresh")
	}
}

// Many files with the same bytes cost no more than one to understand.
func TestSameBytesAreParsedOnce(t *testing.T) {
	files := newSet().linked()
	heavy := "scope: [" + strings.Repeat("a,", 50_000) + "a]\n"
	allocated := func(copies int) uint64 {
		for i := range copies {
			files[fmt.Sprintf("%s/x%03d.yaml", atFolder, i)] = heavy
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		verify(t, newMemory(files), query())
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if one, many := allocated(1), allocated(50); many > 3*one {
		t.Errorf("50 copies allocate %d bytes, one %d", many, one)
	}
}

func TestDecisionsHaveALimitInAll(t *testing.T) {
	files := newSet().linked()
	padding := strings.Repeat("# "+strings.Repeat("x", 1022)+"\n", maxRecordBytes/1025-1)
	for i := range maxDecisionsBytes/len(padding) + 1 {
		files[fmt.Sprintf("%s/x%03d.yaml", atFolder, i)] = fmt.Sprintf("a: %d\n%s", i, padding)
	}
	got := refusals(verify(t, newMemory(files), query()))
	if len(got) != 2 || got[0] != atFolder+" "+CodeUnreadable || got[1] != atEvidence+" "+CodeDecisionMissing {
		t.Errorf("got %d refusals: %.300v", len(got), got)
	}
}

func TestInputsHaveALimitInAll(t *testing.T) {
	files := newSet().linked()
	files["a"], files["b"], files["c"] = "12345", "123456", ""
	c := &checker{ctx: t.Context(), source: newMemory(files), inputsLeft: 10, files: map[string]*file{}, refused: map[string]int{}}
	for _, name := range []string{"a", "b", "c", "a"} {
		c.checkFile(CodeEvidence, atEvidence, "EV-1", name, "x")
	}
	if f := c.files["a"]; f.err != nil {
		t.Errorf("a: %v", f.err)
	}
	if f := c.files["b"]; !errors.Is(f.err, errTooLarge) || !strings.Contains(f.err.Error(), "with the files before it more than 1073741824 bytes") {
		t.Errorf("b: %v", f.err)
	}
	if f := c.files["c"]; f.err != nil {
		t.Errorf("an empty file: %v", f.err)
	}
}

// The end of a file is known from the end of what may be read of it.
func TestFrontMatterAtTheLimit(t *testing.T) {
	for _, test := range []struct {
		size    int
		refused bool
	}{{maxRecordBytes - 1, false}, {maxRecordBytes, false}, {maxRecordBytes + 1, true}} {
		files := newSet().linked()
		files["a"] = "---\nrevision: 3\n" + strings.Repeat("x", test.size-16)
		start, _, err := readInput(t.Context(), newMemory(files), "a", maxInputBytes)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := frontRevisions(start.bytes, start.size > len(start.bytes)); (err != nil) != test.refused {
			t.Errorf("%d bytes: %v", test.size, err)
		}
	}
}
