package runner

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/stagehook/stagehook/sdk/identity"
)

// maxLockTimeout bounds the wait for a lock: a day is a mistake already.
const maxLockTimeout = 24 * time.Hour

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
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || !isDecimal(text) || seconds > maxLockTimeout.Seconds() {
		return 0, &identity.ValueError{
			Field:  "lock_timeout",
			Detail: fmt.Sprintf("%q is not a decimal number of seconds up to %.0f", text, maxLockTimeout.Seconds()),
		}
	}
	return time.Duration(seconds * float64(time.Second)), nil
}
