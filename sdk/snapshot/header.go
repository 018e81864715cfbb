package snapshot

import (
	"strconv"
	"time"

	"github.com/stagehook/stagehook/sdk/identity"
)

// What every snapshot's header says of itself.
const (
	artifact      = "stage-snapshot"
	schemaVersion = "1"
	timeForm      = time.RFC3339 // of a UTC time in whole seconds
)

// fieldNames are the header's keys, in the order in which a header holds them.
var fieldNames = [...]string{
	"task_id", "artifact", "schema_version", "stage", "command", "captured_at",
	"captured_by", "recommended_next", "options", "size_bytes", "truncated",
}

// maxFields is the number of fields that a header has at most.
const maxFields = len(fieldNames)

// appendHeader appends the header with both fences and the empty line. CapturedAt
// is in UTC.
func appendHeader(dst []byte, s *Snapshot) []byte {
	dst = append(dst, "---\ntask_id: "...)
	dst = appendScalar(dst, s.TaskID)
	dst = append(dst, "\nartifact: "+artifact+"\nschema_version: "+schemaVersion+"\nstage: "...)
	dst = appendScalar(dst, s.Stage)
	dst = append(dst, "\ncommand: "...)
	dst = appendScalar(dst, s.Command)
	dst = append(dst, "\ncaptured_at: "...)
	dst = s.CapturedAt.AppendFormat(dst, timeForm)
	dst = append(dst, "\ncaptured_by: "...)
	dst = appendScalar(dst, s.CapturedBy)
	dst = append(dst, "\nrecommended_next: "...)
	dst = appendScalar(dst, s.RecommendedNext)
	dst = append(dst, "\noptions:\n"...)
	for _, option := range s.Options {
		dst = append(dst, "  - "...)
		dst = appendQuoted(dst, option)
		dst = append(dst, '\n')
	}
	dst = append(dst, "size_bytes: "...)
	dst = strconv.AppendInt(dst, int64(s.SizeBytes), 10)
	dst = append(dst, "\ntruncated: "...)
	dst = strconv.AppendBool(dst, s.Truncated)
	return append(dst, "\n---\n\n"...)
}

// checkLines refuses any value that would not stay on its line of the header,
// as an [*identity.ValueError]. Their form is the caller's to check.
func checkLines(s *Snapshot) error {
	for _, value := range [...]struct{ field, text string }{
		{"task_id", s.TaskID},
		{"stage", s.Stage},
		{"command", s.Command},
		{"captured_by", s.CapturedBy},
		{"recommended_next", s.RecommendedNext},
	} {
		if err := identity.Line(value.field, value.text); err != nil {
			return err
		}
	}
	for i, option := range s.Options {
		if err := identity.Line(itemName("options", i), option); err != nil {
			return err
		}
	}
	return nil
}

// itemName names the i-th item of a list for people, who count from 1.
func itemName(list string, i int) string { return list + "[" + strconv.Itoa(i+1) + "]" }
