package runner

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/stagehook/stagehook/sdk/identity"
)

// maxLockTimeout bounds the wait for a lock: a day is a mistake already.
const maxLockTimeout = 24 * time.Hour

var decimal = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)

// lockTimeout reads the setting, a decimal number of seconds. It is checked only
// when an event takes a lock, and a bad one is that event's argument error.
func (r *Runner) lockTimeout() (time.Duration, error) {
	text := r.config.LockTimeout
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || !decimal.MatchString(text) || seconds > maxLockTimeout.Seconds() {
		return 0, &identity.ValueError{
			Field:  "lock_timeout",
			Detail: fmt.Sprintf("%q is not a decimal number of seconds up to %.0f", text, maxLockTimeout.Seconds()),
		}
	}
	return time.Duration(seconds * float64(time.Second)), nil
}
