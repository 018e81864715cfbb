package process

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/go-hclog"
)

// logLine is a line of a plugin's log, which hclog writes as JSON.
//
// It is a stranger's. go-plugin's own reader trusts the types and panics on
// others, so it is switched off and [output] does the work.
type logLine struct {
	level   hclog.Level
	message string
	cause   string // the value "error"
	values  []any  // key, value, key, value, …
}

// parseLogLine takes every JSON object with a message.
func parseLogLine(line string) (logLine, bool) {
	var fields map[string]any
	if line[0] != '{' || json.Unmarshal([]byte(line), &fields) != nil {
		return logLine{}, false
	}
	message, ok := fields["@message"].(string)
	if !ok {
		return logLine{}, false
	}
	entry := logLine{message: oneLine(message, maxLine)}
	level, _ := fields["@level"].(string)
	entry.level = hclog.LevelFromString(level)
	// A logger that is off would write what has the level off.
	if entry.level == hclog.NoLevel || entry.level == hclog.Off {
		entry.level = hclog.Debug
	}
	entry.cause, _ = fields["error"].(string)
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if !strings.HasPrefix(key, "@") {
			entry.values = append(entry.values, oneLine(key, shownBytes), fields[key])
		}
	}
	return entry, true
}

// text is the line for a message of the host.
func (l logLine) text() string {
	if l.cause == "" {
		return l.message
	}
	return l.message + ": " + l.cause
}
