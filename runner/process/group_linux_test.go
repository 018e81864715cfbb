package process

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// groupLives reports whether a process of the group lives. A zombie does not: it
// stays where nobody reaps the orphans.
func groupLives(group int) bool {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		content, err := os.ReadFile(path)
		if err != nil {
			continue // it has just ended
		}
		// PID (NAME) STATE PARENT GROUP, and the name may hold anything.
		stat := string(content)
		fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
		if fields[2] == strconv.Itoa(group) && fields[0] != "Z" && fields[0] != "X" {
			return true
		}
	}
	return false
}
