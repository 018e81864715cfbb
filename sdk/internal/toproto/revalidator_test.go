package toproto

import (
	"testing"
	"time"

	protobuf "google.golang.org/protobuf/proto"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

func TestFreshnessComesFromTheResult(t *testing.T) {
	now := time.Now()
	refusals := []hook.Refusal{{Code: "records-missing"}}
	for _, tt := range []struct {
		name string
		res  hook.RevalidateResult
		want proto.Freshness
	}{
		{"nothing", hook.RevalidateResult{}, proto.Freshness_FRESHNESS_REFUSED},
		{"route alone", hook.RevalidateResult{Route: &hook.Route{Command: "/dr-do"}}, proto.Freshness_FRESHNESS_REFUSED},
		{"refusals", hook.RevalidateResult{Refusals: refusals}, proto.Freshness_FRESHNESS_REFUSED},
		{"checked with refusals", hook.RevalidateResult{CheckedAt: now, Refusals: refusals}, proto.Freshness_FRESHNESS_REFUSED},
		{"checked", hook.RevalidateResult{CheckedAt: now}, proto.Freshness_FRESHNESS_FRESH},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := RevalidateResult(&tt.res)
			if m.GetFreshness() != tt.want {
				t.Errorf("got %s, want %s", m.GetFreshness(), tt.want)
			}
			if (m.GetCheckedAt() != nil) != !tt.res.CheckedAt.IsZero() {
				t.Errorf("checked_at %v of %s", m.GetCheckedAt(), tt.res.CheckedAt)
			}
		})
	}
}

// A refusal may quote a broken record; it must reach the host all the same.
func TestRefusalsOfBrokenRecordsCanBeSent(t *testing.T) {
	m := RevalidateResult(&hook.RevalidateResult{Refusals: []hook.Refusal{{Code: "bad", Path: "r/\xff.md", Detail: "a\xffb\nc"}}})
	if _, err := protobuf.Marshal(m); err != nil {
		t.Fatal(err)
	}
	if got := m.GetRefusals()[0]; got.GetPath() != "r/\uFFFD.md" || got.GetDetail() != "a\uFFFDb c" {
		t.Errorf("got %v", got)
	}
}
