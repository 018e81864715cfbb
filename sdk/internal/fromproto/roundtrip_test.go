package fromproto_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	protobuf "google.golang.org/protobuf/proto"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/fromproto"
	"github.com/stagehook/stagehook/sdk/internal/proto"
	"github.com/stagehook/stagehook/sdk/internal/toproto"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// message is a pointer to a generated struct.
type message[M any] interface {
	*M
	protobuf.Message
}

// overWire encodes and decodes the message.
func overWire[M any, PM message[M]](t *testing.T, m PM) PM {
	t.Helper()
	raw, err := protobuf.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	got := PM(new(M))
	if err := protobuf.Unmarshal(raw, got); err != nil {
		t.Fatal(err)
	}
	return got
}

// same sends the values there and back. All of them together must set every
// field of the Go type and of the message: a field that is added to either and
// not converted fails here.
func same[T, M any, PM message[M]](t *testing.T, to func(*T) PM, from func(PM) (*T, error), values ...*T) {
	t.Helper()
	var goUnset, protoUnset []string
	for i, value := range values {
		m := to(value)
		got, err := from(overWire(t, m))
		if err != nil {
			t.Errorf("value %d: %v", i, err)
			continue
		}
		if !reflect.DeepEqual(got, value) {
			t.Errorf("value %d:\n got %+v\nwant %+v", i, got, value)
		}
		goMissing := unset("", reflect.ValueOf(value))
		protoMissing := unsetFields("", m.ProtoReflect())
		if i == 0 {
			goUnset, protoUnset = goMissing, protoMissing
			continue
		}
		goUnset, protoUnset = common(goUnset, goMissing), common(protoUnset, protoMissing)
	}
	if len(goUnset) > 0 || len(protoUnset) > 0 {
		t.Errorf("no value sets the fields %q of the type and %q of the message", goUnset, protoUnset)
	}
}

func filled[T any](change func(*T)) *T {
	v := new(T)
	fill(v)
	if change != nil {
		change(v)
	}
	return v
}

func TestRoundTrip(t *testing.T) {
	t.Run("WriteRequest", func(t *testing.T) {
		same(t, toproto.WriteRequest, fromproto.WriteRequest, filled[hook.WriteRequest](nil), &hook.WriteRequest{})
	})
	t.Run("WriteResult", func(t *testing.T) {
		same(t, toproto.WriteResult, fromproto.WriteResult, filled[hook.WriteResult](nil), &hook.WriteResult{Path: "a"})
	})
	t.Run("ValidateRequest", func(t *testing.T) {
		same(t, toproto.ValidateRequest, fromproto.ValidateRequest, filled[hook.ValidateRequest](nil),
			&hook.ValidateRequest{Level: snapshot.LevelStrict})
	})
	t.Run("ValidateResult", func(t *testing.T) {
		same(t, toproto.ValidateResult, fromproto.ValidateResult,
			filled(func(r *hook.ValidateResult) { r.Problem, r.Session = nil, nil }),
			filled(func(r *hook.ValidateResult) { r.Problem, r.Snapshot = nil, nil }),
			filled(func(r *hook.ValidateResult) { r.Verdict, r.Snapshot, r.Session = hook.VerdictMalformed, nil, nil }),
			&hook.ValidateResult{Verdict: hook.VerdictValid, Session: &snapshot.Session{}},
			&hook.ValidateResult{Verdict: hook.VerdictValid, Snapshot: &snapshot.Snapshot{}},
			&hook.ValidateResult{Verdict: hook.VerdictMissing},
			&hook.ValidateResult{Verdict: hook.VerdictMalformed, Problem: &snapshot.Problem{}})
	})
	t.Run("RevalidateRequest", func(t *testing.T) {
		same(t, toproto.RevalidateRequest, fromproto.RevalidateRequest, filled[hook.RevalidateRequest](nil),
			&hook.RevalidateRequest{}, &hook.RevalidateRequest{Snapshot: &snapshot.Snapshot{}})
	})
	t.Run("RevalidateResult", func(t *testing.T) {
		same(t, toproto.RevalidateResult, fromproto.RevalidateResult,
			filled[hook.RevalidateResult](nil),
			filled(func(r *hook.RevalidateResult) { r.Refusals = nil }),
			&hook.RevalidateResult{Refusals: []hook.Refusal{{}}},
			&hook.RevalidateResult{CheckedAt: time.Unix(0, 0).UTC()},
			&hook.RevalidateResult{Refusals: []hook.Refusal{{}}, Decision: &hook.RecordRef{}, Contract: &hook.ContractRef{}})
	})
	t.Run("RenderRequest", func(t *testing.T) {
		same(t, toproto.RenderRequest, fromproto.RenderRequest,
			filled(func(r *hook.RenderRequest) { r.Session = nil }),
			filled(func(r *hook.RenderRequest) { r.Snapshot = nil }),
			&hook.RenderRequest{Session: &snapshot.Session{}},
			&hook.RenderRequest{Snapshot: &snapshot.Snapshot{}},
			&hook.RenderRequest{Snapshot: &snapshot.Snapshot{}, Route: &hook.Route{Command: "/dr-do"}})
	})
	t.Run("RenderResult", func(t *testing.T) {
		same(t, toproto.RenderResult, fromproto.RenderResult, filled[hook.RenderResult](nil))
	})
	t.Run("ArchiveRequest", func(t *testing.T) {
		same(t, toproto.ArchiveRequest, fromproto.ArchiveRequest, filled[hook.ArchiveRequest](nil), &hook.ArchiveRequest{})
	})
	t.Run("ArchiveResult", func(t *testing.T) {
		same(t, toproto.ArchiveResult, fromproto.ArchiveResult, filled[hook.ArchiveResult](nil), &hook.ArchiveResult{})
	})
	t.Run("ObserveRequest", func(t *testing.T) {
		same(t, toproto.ObserveRequest, fromproto.ObserveRequest, filled[hook.ObserveRequest](nil),
			&hook.ObserveRequest{}, &hook.ObserveRequest{Steps: []hook.StepReport{{}}})
	})
	t.Run("Task", func(t *testing.T) {
		to := func(task *hook.Task) *proto.Task { return toproto.Task(*task) }
		from := func(m *proto.Task) (*hook.Task, error) {
			task, err := fromproto.Task(m)
			return &task, err
		}
		same(t, to, from, filled[hook.Task](nil), &hook.Task{})
	})
	t.Run("Snapshot", func(t *testing.T) {
		same(t, toproto.Snapshot, fromproto.Snapshot, filled[snapshot.Snapshot](nil), &snapshot.Snapshot{})
		got, err := fromproto.Snapshot(toproto.Snapshot(nil))
		if got != nil || err != nil {
			t.Errorf("nil became %v, %v", got, err)
		}
	})
	t.Run("Session", func(t *testing.T) {
		same(t, toproto.Session, fromproto.Session, filled[snapshot.Session](nil), &snapshot.Session{})
		got, err := fromproto.Session(toproto.Session(nil))
		if got != nil || err != nil {
			t.Errorf("nil became %v, %v", got, err)
		}
	})
}

func TestRoundTripLevels(t *testing.T) {
	for _, level := range []snapshot.Level{snapshot.LevelStrict, snapshot.LevelSchema} {
		got, err := fromproto.ValidateRequest(toproto.ValidateRequest(&hook.ValidateRequest{Level: level}))
		if err != nil || got.Level != level {
			t.Errorf("level %s became %+v, %v", level, got, err)
		}
	}
}

// A value that the protocol names must be known here, and only such a value.
func TestEnumsAreComplete(t *testing.T) {
	check := func(name string, n int32, err error) {
		t.Helper()
		unknown := err != nil && strings.Contains(err.Error(), "unknown value")
		if unknown != (n == 0) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for n, name := range proto.Level_name {
		_, err := fromproto.ValidateRequest(&proto.ValidateRequest{Task: &proto.Task{}, Level: proto.Level(n)})
		check(name, n, err)
	}
	for n, name := range proto.Verdict_name {
		_, err := fromproto.ValidateResult(&proto.ValidateResponse{Verdict: proto.Verdict(n)})
		check(name, n, err)
	}
	for n, name := range proto.Freshness_name {
		_, err := fromproto.RevalidateResult(&proto.RevalidateResponse{Freshness: proto.Freshness(n)})
		check(name, n, err)
	}
}

// Any instant that a snapshot's header can name survives, whatever the zone it
// was made in.
func TestRoundTripTimes(t *testing.T) {
	for _, at := range []time.Time{
		time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC),
		{},
		time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC),
		time.Date(2026, 5, 21, 16, 45, 0, 0, time.FixedZone("", 3*60*60)),
	} {
		m := overWire(t, toproto.Snapshot(&snapshot.Snapshot{CapturedAt: at}))
		got, err := fromproto.Snapshot(m)
		if err != nil {
			t.Errorf("%s: %v", at, err)
			continue
		}
		if got.CapturedAt != at.UTC() {
			t.Errorf("%s became %s", at, got.CapturedAt)
		}
	}
}

func TestUnknownFieldsAreIgnored(t *testing.T) {
	want := filled[hook.WriteRequest](nil)
	raw, err := protobuf.Marshal(toproto.WriteRequest(want))
	if err != nil {
		t.Fatal(err)
	}
	// Field 1000, a string "later"; then field 1001, the number 7.
	raw = append(raw, 0xC2, 0x3E, 5, 'l', 'a', 't', 'e', 'r', 0xC8, 0x3E, 7)
	m := &proto.WriteRequest{}
	if err := protobuf.Unmarshal(raw, m); err != nil {
		t.Fatal(err)
	}
	if len(m.ProtoReflect().GetUnknown()) != 11 {
		t.Fatalf("the message holds %d unknown bytes, want 11", len(m.ProtoReflect().GetUnknown()))
	}
	got, err := fromproto.WriteRequest(m)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}
