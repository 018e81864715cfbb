package runner

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/stagehook/stagehook/sdk/identity"
)

// isDecimal reports whether text is digits, perhaps with a point between them.
func isDecimal(text string) bool {
	whole, fraction, pointed := strings.Cut(text, ".")
	const digits = "0123456789"
	return whole != "" && strings.Trim(whole, digits) == "" &&
		(!pointed || fraction != "" && strings.Trim(fraction, digits) == "")
}

// lockTimeout reads the setting, a decimal number of seconds. It is checked only
// when an event takes a lock, and a bad one is that event's argument error.
func (r *Runner) lockTimeout() (time.Duration, error) {
	text := r.config.LockTimeout
	if !isDecimal(text) {
		return 0, &identity.ValueError{
			Field:  "lock_timeout",
			Detail: fmt.Sprintf("%q is not a decimal number of seconds", text),
		}
	}
	// A decimal number fails to parse only when it is too large, as infinity.
	seconds, _ := strconv.ParseFloat(text, 64)
	return time.Duration(min(seconds, forever.Seconds()) * float64(time.Second)), nil
}

// lockLimits returns how long the plugin may wait for the task's lock, and how
// long the call may take as a whole.
func (r *Runner) lockLimits(plugin string) (lock, call time.Duration, err error) {
	lock, err = r.lockTimeout()
	return lock, lock + r.callTimeout(plugin), err
}
