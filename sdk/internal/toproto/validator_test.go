package toproto

import (
	"testing"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// What the wire has no word for must not be guessed.
func TestUnknownLevelsAndVerdictsAreUnspecified(t *testing.T) {
	for _, level := range []snapshot.Level{"", "lenient", "STRICT"} {
		if got := ValidateRequest(&hook.ValidateRequest{Level: level}).GetLevel(); got != proto.Level_LEVEL_UNSPECIFIED {
			t.Errorf("level %q became %s", level, got)
		}
	}
	for _, verdict := range []hook.Verdict{"", "ok", "VALID"} {
		if got := ValidateResult(&hook.ValidateResult{Verdict: verdict}).GetVerdict(); got != proto.Verdict_VERDICT_UNSPECIFIED {
			t.Errorf("verdict %q became %s", verdict, got)
		}
	}
}
