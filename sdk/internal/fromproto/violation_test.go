package fromproto_test

import (
	"math"
	"strconv"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/fromproto"
	"github.com/stagehook/stagehook/sdk/internal/proto"
	"github.com/stagehook/stagehook/sdk/internal/toproto"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// breaking returns a maker of broken messages: it takes what breaks the message
// of a good value, and gives what reading the message says before and after.
func breaking[T, M any](to func(*T) *M, from func(*M) (*T, error), change func(*T)) func(func(*M)) func() (error, error) {
	return func(breakIt func(*M)) func() (before, after error) {
		return func() (before, after error) {
			m := to(filled(change))
			_, before = from(m)
			breakIt(m)
			_, after = from(m)
			return before, after
		}
	}
}

func TestViolations(t *testing.T) {
	var (
		write      = breaking(toproto.WriteRequest, fromproto.WriteRequest, nil)
		wrote      = breaking(toproto.WriteResult, fromproto.WriteResult, nil)
		validate   = breaking(toproto.ValidateRequest, fromproto.ValidateRequest, nil)
		valid      = breaking(toproto.ValidateResult, fromproto.ValidateResult, func(r *hook.ValidateResult) { r.Problem, r.Session = nil, nil })
		malformed  = breaking(toproto.ValidateResult, fromproto.ValidateResult, func(r *hook.ValidateResult) { r.Verdict, r.Snapshot, r.Session = hook.VerdictMalformed, nil, nil })
		missing    = breaking(toproto.ValidateResult, fromproto.ValidateResult, func(r *hook.ValidateResult) { *r = hook.ValidateResult{Verdict: hook.VerdictMissing} })
		revalidate = breaking(toproto.RevalidateRequest, fromproto.RevalidateRequest, nil)
		fresh      = breaking(toproto.RevalidateResult, fromproto.RevalidateResult, func(r *hook.RevalidateResult) { r.Refusals = nil })
		refused    = breaking(toproto.RevalidateResult, fromproto.RevalidateResult, nil)
		render     = breaking(toproto.RenderRequest, fromproto.RenderRequest, func(r *hook.RenderRequest) { r.Session = nil })
		rendered   = breaking(toproto.RenderResult, fromproto.RenderResult, nil)
		archive    = breaking(toproto.ArchiveRequest, fromproto.ArchiveRequest, nil)
		archived   = breaking(toproto.ArchiveResult, fromproto.ArchiveResult, nil)
		observe    = breaking(toproto.ObserveRequest, fromproto.ObserveRequest, nil)
		aSnapshot  = toproto.Snapshot(&snapshot.Snapshot{})
		aSession   = toproto.Session(&snapshot.Session{})
		year10000  = timestamppb.New(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))
		beforeZero = timestamppb.New(time.Date(-1, 12, 31, 23, 59, 59, 0, time.UTC))
	)
	for _, tt := range []struct {
		name string
		read func() (before, after error)
		want string
	}{
		{"write: task", write(func(m *proto.WriteRequest) { m.Task = nil }), "task: missing"},
		{"write: answer", write(func(m *proto.WriteRequest) { m.Answer = nil }), "answer: missing"},
		{"write: no time", write(func(m *proto.WriteRequest) { m.Answer.CapturedAt = nil }), "answer: captured_at: missing"},
		{"write: late time", write(func(m *proto.WriteRequest) { m.Answer.CapturedAt = year10000 }), "answer: captured_at: lies outside the years 0 to 9999"},
		{"write: early time", write(func(m *proto.WriteRequest) { m.Answer.CapturedAt = beforeZero }), "answer: captured_at: lies outside the years 0 to 9999"},
		{"write: far time", write(func(m *proto.WriteRequest) { m.Answer.CapturedAt.Seconds = math.MinInt64 }), "answer: captured_at: lies outside the years 0 to 9999"},
		{"write: negative nanoseconds", write(func(m *proto.WriteRequest) { m.Answer.CapturedAt.Nanos = -1 }), "answer: captured_at: -1 nanoseconds"},
		{"write: too many nanoseconds", write(func(m *proto.WriteRequest) { m.Answer.CapturedAt.Nanos = 1e9 }), "answer: captured_at: 1000000000 nanoseconds"},
		{"write: negative timeout", write(func(m *proto.WriteRequest) { m.LockTimeout = durationpb.New(-1) }), "lock_timeout: is negative"},
		{"write: mixed signs", write(func(m *proto.WriteRequest) { m.LockTimeout = &durationpb.Duration{Seconds: 1, Nanos: -1} }), "lock_timeout: not a duration"},
		{"write: endless timeout", write(func(m *proto.WriteRequest) { m.LockTimeout = &durationpb.Duration{Seconds: math.MaxInt64} }), "lock_timeout: not a duration"},

		{"wrote: empty message", wrote(func(m *proto.WriteResponse) { m.Reset() }), "path: missing"},
		{"wrote: size", wrote(func(m *proto.WriteResponse) { m.SizeBytes = -1 }), "size_bytes: -1 is negative"},

		{"validate: task", validate(func(m *proto.ValidateRequest) { m.Task = nil }), "task: missing"},
		{"validate: no level", validate(func(m *proto.ValidateRequest) { m.Level = 0 }), "level: unknown value 0"},
		{"validate: later level", validate(func(m *proto.ValidateRequest) { m.Level = 77 }), "level: unknown value 77"},
		{"validate: negative level", validate(func(m *proto.ValidateRequest) { m.Level = -1 }), "level: unknown value -1"},

		{"valid: empty message", valid(func(m *proto.ValidateResponse) { m.Reset() }), "verdict: unknown value 0"},
		{"valid: unspecified", valid(func(m *proto.ValidateResponse) { m.Verdict = 0 }), "verdict: unknown value 0"},
		{"valid: later verdict", valid(func(m *proto.ValidateResponse) { m.Verdict = 77 }), "verdict: unknown value 77"},
		{"valid: snapshot", valid(func(m *proto.ValidateResponse) { m.Snapshot = nil }), "verdict: valid without a snapshot or session, or with both"},
		{"valid: problem", valid(func(m *proto.ValidateResponse) { m.Problem = &proto.Problem{} }), "verdict: valid with a problem"},
		{"valid: no time", valid(func(m *proto.ValidateResponse) { m.Snapshot.CapturedAt = nil }), "snapshot: captured_at: missing"},
		{"valid: size", valid(func(m *proto.ValidateResponse) { m.Snapshot.SizeBytes = -2 }), "snapshot: size_bytes: -2 is negative"},
		{"malformed: problem", malformed(func(m *proto.ValidateResponse) { m.Problem = nil }), "verdict: malformed without a problem"},
		{"malformed: snapshot", malformed(func(m *proto.ValidateResponse) { m.Snapshot = aSnapshot }), "verdict: malformed with a snapshot or session"},
		{"valid: both", valid(func(m *proto.ValidateResponse) { m.Session = aSession }), "verdict: valid without a snapshot or session, or with both"},
		{"valid: session without a time", valid(func(m *proto.ValidateResponse) { m.Snapshot, m.Session = nil, &proto.Session{} }), "session: captured_at: missing"},
		{"missing: session", missing(func(m *proto.ValidateResponse) { m.Session = aSession }), "verdict: missing with a snapshot or session"},
		{"missing: snapshot", missing(func(m *proto.ValidateResponse) { m.Snapshot = aSnapshot }), "verdict: missing with a snapshot or session"},
		{"missing: problem", missing(func(m *proto.ValidateResponse) { m.Problem = &proto.Problem{} }), "verdict: missing with a problem"},

		{"revalidate: task", revalidate(func(m *proto.RevalidateRequest) { m.Task = nil }), "task: missing"},
		{"revalidate: snapshot", revalidate(func(m *proto.RevalidateRequest) { m.Snapshot.CapturedAt = nil }), "snapshot: captured_at: missing"},

		{"fresh: empty message", fresh(func(m *proto.RevalidateResponse) { m.Reset() }), "freshness: unknown value 0"},
		{"fresh: unspecified", fresh(func(m *proto.RevalidateResponse) { m.Freshness = 0 }), "freshness: unknown value 0"},
		{"fresh: later freshness", fresh(func(m *proto.RevalidateResponse) { m.Freshness = 77 }), "freshness: unknown value 77"},
		{"fresh: refusals", fresh(func(m *proto.RevalidateResponse) { m.Refusals = []*proto.Refusal{{}} }), "freshness: fresh with refusals"},
		{"fresh: no time", fresh(func(m *proto.RevalidateResponse) { m.CheckedAt = nil }), "freshness: fresh without checked_at"},
		{"fresh: zero time", fresh(func(m *proto.RevalidateResponse) { m.CheckedAt = timestamppb.New(time.Time{}) }), "freshness: fresh without checked_at"},
		{"fresh: late time", fresh(func(m *proto.RevalidateResponse) { m.CheckedAt = year10000 }), "checked_at: lies outside the years 0 to 9999"},
		{"fresh: route", fresh(func(m *proto.RevalidateResponse) { m.Route.Command = "" }), "route: command: missing"},
		{"fresh: decision", fresh(func(m *proto.RevalidateResponse) { m.Decision.Revision = -1 }), "decision: revision: -1 is negative"},
		{"fresh: contract", fresh(func(m *proto.RevalidateResponse) { m.Contract.Revision = -1 }), "contract: revision: -1 is negative"},
		{"fresh: parent contract", fresh(func(m *proto.RevalidateResponse) { m.ParentContract.Revision = -1 }), "parent_contract: revision: -1 is negative"},
		{"refused: no refusals", refused(func(m *proto.RevalidateResponse) { m.Refusals = nil }), "freshness: refused without refusals"},
		{"refused: later freshness", refused(func(m *proto.RevalidateResponse) { m.Freshness = 77 }), "freshness: unknown value 77"},

		{"render: task", render(func(m *proto.RenderRequest) { m.Task = nil }), "task: missing"},
		{"render: snapshot", render(func(m *proto.RenderRequest) { m.Snapshot = nil }), "snapshot, session: one of them must be set"},
		{"render: both", render(func(m *proto.RenderRequest) { m.Session = aSession }), "snapshot, session: one of them must be set"},
		{"render: session", render(func(m *proto.RenderRequest) { m.Snapshot, m.Session = nil, &proto.Session{} }), "session: captured_at: missing"},
		{"render: size", render(func(m *proto.RenderRequest) { m.Snapshot.SizeBytes = -1 }), "snapshot: size_bytes: -1 is negative"},
		{"render: route", render(func(m *proto.RenderRequest) { m.Route.Command = "" }), "route: command: missing"},
		{"rendered: empty message", rendered(func(m *proto.RenderResponse) { m.Reset() }), "command: missing"},
		{"rendered: prompt", rendered(func(m *proto.RenderResponse) { m.Prompt = nil }), "prompt: missing"},

		{"archive: task", archive(func(m *proto.ArchiveRequest) { m.Task = nil }), "task: missing"},
		{"archive: timeout", archive(func(m *proto.ArchiveRequest) { m.LockTimeout = durationpb.New(-time.Hour) }), "lock_timeout: is negative"},
		{"archived: path", archived(func(m *proto.ArchiveResponse) { m.Path = "" }), "path: missing"},

		{"observe: task", observe(func(m *proto.ObserveRequest) { m.Task = nil }), "task: missing"},
		{"observe: no time", observe(func(m *proto.ObserveRequest) { m.Started = nil }), "started: missing"},
		{"observe: elapsed", observe(func(m *proto.ObserveRequest) { m.Elapsed = durationpb.New(-1) }), "elapsed: is negative"},
		{"observe: pid", observe(func(m *proto.ObserveRequest) { m.Steps[1].Pid = -1 }), "steps[1]: pid: -1 is negative"},
		{"observe: start", observe(func(m *proto.ObserveRequest) { m.Steps[0].Start = durationpb.New(-1) }), "steps[0]: start: is negative"},
		{"observe: call", observe(func(m *proto.ObserveRequest) { m.Steps[0].Call = durationpb.New(-1) }), "steps[0]: call: is negative"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before, after := tt.read()
			if before != nil {
				t.Fatalf("refused before it was broken: %v", before)
			}
			if after == nil || after.Error() != tt.want {
				t.Errorf("got %v, want %s", after, tt.want)
			}
		})
	}
}

func TestViolationsOfDescription(t *testing.T) {
	for want, m := range map[string]*proto.ConfigureResponse{
		"name: missing":    {Version: "1.0.0", Kinds: []string{"writer"}},
		"version: missing": {Name: "a", Kinds: []string{"writer"}},
		"kinds: missing":   {Name: "a", Version: "1.0.0"},
	} {
		if _, err := fromproto.Description(m); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// An absent duration is zero, and an observer hears of kinds it does not know.
func TestAbsentIsNoViolation(t *testing.T) {
	got, err := fromproto.ArchiveRequest(&proto.ArchiveRequest{Task: &proto.Task{}})
	if err != nil || got.LockTimeout != 0 {
		t.Errorf("archive: %+v, %v", got, err)
	}
	told, err := fromproto.ObserveRequest(&proto.ObserveRequest{
		Task:    &proto.Task{},
		Started: timestamppb.Now(),
		Steps:   []*proto.StepReport{{Kind: "summarizer"}},
	})
	if err != nil || told.Steps[0].Kind != "summarizer" {
		t.Errorf("observe: %+v, %v", told, err)
	}
}

// A size that no int holds is refused, not wrapped around.
func TestSizesAreNotCut(t *testing.T) {
	const size = int64(1)<<32 + 1
	got, err := fromproto.WriteResult(&proto.WriteResponse{Path: "a", SizeBytes: size})
	switch {
	case strconv.IntSize == 64 && (err != nil || int64(got.SizeBytes) != size):
		t.Errorf("got %+v, %v", got, err)
	case strconv.IntSize == 32 && (err == nil || err.Error() != "size_bytes: 4294967297 is too large"):
		t.Errorf("got %+v, %v", got, err)
	}
}
