package records

// EvidencePath is the path of a task's evidence record, the entry point to all
// others, relative to the workspace root and with forward slashes. The ID must
// have passed the grammar.
func EvidencePath(taskID string) string { return "datarim/evidence/" + taskID + ".evidence.yaml" }

// Paths lists the places at which a task has records of its own; it has records
// when anything is at one of them.
func Paths(taskID string) []string {
	return []string{
		EvidencePath(taskID),
		"datarim/acceptance/" + taskID + ".acceptance.yaml",
		"datarim/briefs/" + taskID + ".brief.yaml",
		"datarim/decisions/" + taskID,
	}
}
