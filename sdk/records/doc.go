// Package records reads and checks the decision records of a task, the authority
// on where it may go next.
//
// The records are YAML files that name each other by the SHA-256 of their bytes.
// [Verify] reads all of a task's records through a [Source] and either gives the
// fresh route or every reason to refuse it. It writes nothing, keeps nothing from
// one call to the next, and takes the time from its caller, so that a revalidator
// on any storage can use it. The built-in revalidator and "stagehook records" do.
//
// Read [Verify] first, then checker.run in check.go, which lists the checks in
// their order; the kinds of record have a file each.
package records
