package program

import (
	"fmt"
	"os"
	"strings"
)

// outside reports whether an owner has no number in this user namespace, where the
// system shows one and the same for all of them. In a sandbox without privileges
// that is what root's programs have, so such an owner cannot be held against one.
func outside(uid uint32) bool {
	overflow, err := os.ReadFile("/proc/sys/kernel/overflowuid")
	if err != nil || strings.TrimSpace(string(overflow)) != fmt.Sprint(uid) {
		return false
	}
	mapped, err := os.ReadFile("/proc/self/uid_map")
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(mapped)) {
		var first, parent, count uint32
		if _, err := fmt.Sscan(line, &first, &parent, &count); err != nil || uid >= first && uid-first < count {
			return false
		}
	}
	return true
}
