package records

// The path of a record, relative to the workspace root and with forward slashes.
// Task IDs must have passed the grammar.

// EvidencePath is the path of a task's evidence record, the entry point to all
// others.
func EvidencePath(taskID string) string { return "datarim/evidence/" + taskID + ".evidence.yaml" }

// ContractPath is the path of a task's acceptance contract.
func ContractPath(taskID string) string { return "datarim/acceptance/" + taskID + ".acceptance.yaml" }

// BriefPath is the path of a task's product brief.
func BriefPath(taskID string) string { return "datarim/briefs/" + taskID + ".brief.yaml" }

// DecisionFolder is the path of the folder that holds a task's decisions, one
// file for each revision.
func DecisionFolder(taskID string) string { return "datarim/decisions/" + taskID }

// AuthorizationPath is the path of an authorization. The reference must have the
// form of a name.
func AuthorizationPath(ref string) string { return "datarim/authorizations/" + ref + ".yaml" }

// Paths lists the places at which a task has records of its own; it has records
// when anything is at one of them.
func Paths(taskID string) []string {
	return []string{EvidencePath(taskID), ContractPath(taskID), BriefPath(taskID), DecisionFolder(taskID)}
}
