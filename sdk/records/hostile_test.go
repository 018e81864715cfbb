package records

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stagehook/stagehook/sdk/hook"
)

// faulty lets the call of a number fail: an Open, a Names, or a Read. It returns
// half of what it was to read, as a disk may.
type faulty struct {
	Source
	at   int
	err  error
	fail func() // called instead of failing, if set

	mu    sync.Mutex // decisions are read side by side
	calls int
}

func (f *faulty) next() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	if f.calls != f.at {
		return nil
	}
	if f.fail != nil {
		f.fail()
		return nil
	}
	return f.err
}

func (f *faulty) Open(path string) (io.ReadCloser, error) {
	if err := f.next(); err != nil {
		return nil, err
	}
	file, err := f.Source.Open(path)
	if err != nil {
		return nil, err
	}
	return faultyFile{file, f}, nil
}

func (f *faulty) Names(folder string) ([]string, error) {
	if err := f.next(); err != nil {
		return nil, err
	}
	return f.Source.Names(folder)
}

type faultyFile struct {
	io.ReadCloser
	f *faulty
}

func (r faultyFile) Read(p []byte) (int, error) {
	if err := r.f.next(); err != nil {
		n, _ := r.ReadCloser.Read(p[:len(p)/2])
		return n, err
	}
	return r.ReadCloser.Read(p)
}

func TestNoFaultIsEverFresh(t *testing.T) {
	files := newSet().linked()
	for _, err := range []error{errIO, fs.ErrNotExist, fs.ErrPermission, io.ErrUnexpectedEOF} {
		calls := 0
		for at := 1; ; at++ {
			source := &faulty{Source: newMemory(files), at: at, err: err}
			report := verify(t, source, query())
			if source.calls < at {
				calls = source.calls
				if !report.Result.Fresh() {
					t.Errorf("without a fault: %+v", report.Result.Refusals)
				}
				break
			}
			if report.Result.Fresh() {
				t.Errorf("call %d fails with %v: fresh", at, err)
			}
		}
		if calls < 30 {
			t.Errorf("only %d calls were made", calls)
		}
	}
}

// A context that ends at any moment gives no report.
func TestContext(t *testing.T) {
	files := newSet().linked()
	for at := 1; ; at++ {
		ctx, cancel := context.WithCancel(t.Context())
		source := &faulty{Source: newMemory(files), at: at, fail: cancel}
		report, err := Verify(ctx, source, query())
		cancel()
		if source.calls < at {
			if err != nil || !report.Result.Fresh() {
				t.Errorf("got %+v, %v", report, err)
			}
			return
		}
		if !errors.Is(err, context.Canceled) || report != nil {
			t.Errorf("ended in call %d: got %+v, %v", at, report, err)
		}
	}
}

// Nothing more is read once the context has ended, however much there is.
func TestContextEndsTheReading(t *testing.T) {
	files := newSet()
	files.extend(1000)
	source := newMemory(files.linked())
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := Verify(ctx, &faulty{Source: source, at: 20, fail: cancel}, query()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if opened := len(source.opened); opened > 50 {
		t.Errorf("%d files were opened", opened)
	}

	ctx, cancel = context.WithCancel(t.Context())
	endless := &growing{Source: newMemory(newSet().linked()), path: atReport}
	endless.file.whenRead = cancel
	if _, err := Verify(ctx, endless, query()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if endless.file.read > maxInputBytes/2 {
		t.Errorf("%d bytes were read", endless.file.read)
	}
}

// endless is a file that never ends.
type endless struct {
	read     int    // bytes
	whenRead func() // is called
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '#'
	}
	e.read += len(p)
	if e.whenRead != nil {
		e.whenRead()
	}
	return len(p), nil
}

func (*endless) Close() error { return nil }

// growing is a Source where one file never ends.
type growing struct {
	Source
	path string
	file endless
}

func (g *growing) Open(path string) (io.ReadCloser, error) {
	if path == g.path {
		return &g.file, nil
	}
	return g.Source.Open(path)
}

// A file that grows while it is read is read to its limit and not further.
func TestGrowingFile(t *testing.T) {
	for path, limit := range map[string]int{atContract: maxRecordBytes, atHead: maxRecordBytes, atReport: maxInputBytes} {
		source := &growing{Source: newMemory(newSet().linked()), path: path}
		report := verify(t, source, query())
		if !slices.ContainsFunc(report.Result.Refusals, func(r hook.Refusal) bool { return r.Path == path && r.Code == CodeUnreadable }) {
			t.Errorf("%s: got %v", path, refusals(report))
		}
		if source.file.read > 2*limit {
			t.Errorf("%s: %d bytes were read", path, source.file.read)
		}
	}
}

// swapping is a Source whose file holds something else whenever it is opened
// again.
type swapping struct {
	*memory
	path, then string
}

func (s *swapping) Open(path string) (io.ReadCloser, error) {
	file, err := s.memory.Open(path)
	if path == s.path {
		s.set[path] = s.then
	}
	return file, err
}

// What is hashed is what is parsed: a file that is replaced in between counts
// as it was when it was opened.
func TestSwappedFile(t *testing.T) {
	files := newSet()
	// The contract is read as a record and named as evidence.
	files[atEvidence] += "  - {id: EV-2, criterion: AC-1, status: met, path: " + atContract + ", digest: \"<" + atContract + ">\"}\n"
	files = files.linked()
	source := &swapping{memory: newMemory(files), path: atContract, then: "something else"}
	if report := verify(t, source, query()); !report.Result.Fresh() {
		t.Errorf("refused: %+v", report.Result.Refusals)
	}
	if report := verify(t, source, query()); report.Result.Fresh() {
		t.Error("the second time it is fresh")
	}
}

// The names of files, and what is in them, cannot break a line or steer a
// terminal, whatever it is.
func TestStrangeTexts(t *testing.T) {
	files := newSet().linked()
	for _, name := range []string{"a\nb", "a\x1b[2Jb", "a\u202eb", "a\xffb", "a\u2028b", strings.Repeat("я", 2000)} {
		files[atFolder+"/"+name+".yaml"] = fmt.Sprintf("%q: 1\nkind: x\n", name)
		files[atEvidence] += fmt.Sprintf("  - {id: EV-2, %q: x}\n", name)
	}
	source := newMemory(files)
	source.broken = map[string]error{
		atContract: errors.New("bad\nthing \x1b[2J " + strings.Repeat("→", 1000)),
		atBrief:    fmt.Errorf("%w: a\xff", fs.ErrPermission),
	}
	report := verify(t, source, query())
	if got := len(report.Result.Refusals); got != 9 { // different names stay different
		t.Errorf("got %d refusals: %v", got, refusals(report))
	}
}

// A folder of strangers' files is refused in full, but not listed in full.
func TestFloodIsBounded(t *testing.T) {
	files := newSet().linked()
	for i := range 5_000 {
		files[fmt.Sprintf("%s/x%05d.yaml", atFolder, i)] = fmt.Sprint(i)
		files[fmt.Sprintf("%s/x%05d.txt", atFolder, i)] = "x"
	}
	files[atReport] += "x"
	report := verify(t, newMemory(files), query())
	got := refusals(report)
	want := slices.Concat([]string{" record-malformed"}, slices.Repeat([]string{" record-malformed"}, maxRefusals), []string{atEvidence + " evidence-mismatch"})
	for i := range maxRefusals {
		want[1+i] = fmt.Sprintf("%s/x%05d.yaml record-malformed", atFolder, i)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %d refusals, from %s to %s", len(got), got[0], got[len(got)-1])
	}
	if detail, want := report.Result.Refusals[0].Detail, "4000 more refusals with this code"; detail != want {
		t.Errorf("got %q; want %q", detail, want)
	}
	if len(report.Checks) > 2*maxRefusals {
		t.Errorf("%d checks are kept", len(report.Checks))
	}
}
