package records

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/stagehook/stagehook/sdk/hook"
)

// freshResult is the route that sound records give. Without a parent, or a grant,
// these are nil.
func freshResult(now time.Time, ch *chain, own, parent *record[contract], b *record[brief], grant *record[authorization]) hook.RevalidateResult {
	head := ch.head
	digests := []string{own.digest, "", b.digest, head.digest, ""}
	result := hook.RevalidateResult{
		Decision:  &hook.RecordRef{ID: head.fields.id, Revision: head.fields.revision, Digest: head.digest},
		Lineage:   ch.lineage(),
		Contract:  &hook.ContractRef{TaskID: own.taskID, Revision: own.fields.revision, Digest: own.digest, Scope: own.fields.scope},
		CheckedAt: now.UTC(),
	}
	if parent != nil {
		digests[1] = parent.digest
		result.ParentContract = &hook.ContractRef{TaskID: parent.taskID, Digest: parent.digest}
	}
	if grant != nil {
		digests[4] = grant.digest
	}
	result.Route = &hook.Route{Command: head.fields.command, Token: hook.Token{
		Type:  head.fields.token,
		Value: fmt.Sprintf("%s:%s:%s", head.fields.token, head.fields.version, fingerprint(digests)),
	}}
	return result
}

// fingerprint changes with any of the digests: the first 12 hex digits of the
// SHA-256 over them, each on a line.
func fingerprint(digests []string) string {
	sum := sha256.New()
	for _, digest := range digests {
		fmt.Fprintln(sum, digest)
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}
