package runner

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stagehook/stagehook/runner/config"
	"github.com/stagehook/stagehook/sdk/identity"
)

const longestTimeout = time.Duration(math.MaxInt64)

// limitsOf returns the limits of a plugin x for a lock_timeout.
func limitsOf(lockTimeout string, callTimeout time.Duration) (lock, call time.Duration, err error) {
	r := &Runner{config: &config.Config{
		LockTimeout: lockTimeout,
		Plugins:     map[string]config.Plugin{"x": {CallTimeout: callTimeout}},
	}}
	return r.lockLimits("x")
}

func TestLockTimeoutIsAnyDecimalNumber(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0":                                   0,
		"0.0":                                 0,
		"0.05":                                50 * time.Millisecond,
		"2.5":                                 2500 * time.Millisecond,
		"007":                                 7 * time.Second,
		"60":                                  time.Minute,
		"86401":                               86401 * time.Second,
		"999999":                              999999 * time.Second,
		"0." + strings.Repeat("0", 400) + "1": 0,
		"99999999999":                         forever,
		strings.Repeat("9", 400):              forever, // more than a float holds
		strings.Repeat("9", 30) + ".9":        forever,
		"9223372036854775807":                 forever,
		strings.Repeat("0", 300) + "1":        time.Second,
		"0.1" + strings.Repeat("0", 300):      100 * time.Millisecond,
		"315360000":                           forever,
		"315360001":                           forever,
		"315359999":                           forever - time.Second,
	} {
		lock, call, err := limitsOf(text, time.Second)
		if err != nil || lock != want || call != want+time.Second {
			t.Errorf("%.30s: got %s and %s, %v; want %s", text, lock, call, err, want)
		}
	}
	for _, text := range []string{
		"", " ", "soon", "1e3", "1E3", "+5", "-1", "-0", " 5", "5 ", "5\n", "\t5", "0x10", "0b1", "1_000", "NaN", "nan", "Inf", "+Inf", "infinity",
		".", ".5", "5.", "1.2.3", "1,5", "5s", "1m", "５", "5\x00", "1/2",
	} {
		_, _, err := limitsOf(text, time.Second)
		var refused *identity.ValueError
		if !errors.As(err, &refused) || refused.Field != "lock_timeout" {
			t.Errorf("%q: got %v; want it refused", text, err)
		}
	}
}

func TestLimitsDoNotOverflow(t *testing.T) {
	for _, lock := range []string{"0", "1", "60", strings.Repeat("9", 400)} {
		for _, call := range []time.Duration{time.Second, longestTimeout / 2, longestTimeout - time.Second, longestTimeout} {
			if wait, limit, err := limitsOf(lock, call); err != nil || wait < 0 || limit < wait || limit < min(call, forever) {
				t.Errorf("%.10s and %s: got %s and %s, %v", lock, call, wait, limit, err)
			}
		}
	}
}
