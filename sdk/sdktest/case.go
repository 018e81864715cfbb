package sdktest

import "github.com/stagehook/stagehook/sdk/hook"

// Case is one call of a plugin and what it must come to. Everything that is left
// out has a default, and what is not wanted is not compared.
type Case[Req, Res any] struct {
	// Settings are what a configuration would hold: anything that encoding/json can
	// encode, such as a map. Nil means none.
	Settings any
	// Root is the workspace. Empty means a temporary one.
	Root string
	// Files are made in the workspace before the call: contents by path, relative to
	// the root and with forward slashes. [SnapshotFile] makes that of a snapshot.
	Files map[string]string
	// Request is what is sent. Its root is the workspace; what else is zero, and
	// would not be when a host asks, is filled in: the task [TaskID], the answer
	// [Answer], for a renderer the snapshot [Snapshot].
	Request Req

	// Want is the answer, nil when it is not compared. Where an error is wanted there
	// is none. A revalidator's CheckedAt is compared only when it is set here, since
	// that is mostly the time of the call.
	Want *Res
	// WantFailure is how the plugin must refuse the settings or fail the call; empty
	// when it must not.
	WantFailure hook.FailureCode
	// WantFiles must be in the workspace afterwards: contents by path.
	WantFiles map[string]string
}

// The cases of the kinds, one for each function of this package.
type (
	// WriterCase is a case of a [hook.Writer].
	WriterCase = Case[hook.WriteRequest, hook.WriteResult]
	// ValidatorCase is a case of a [hook.Validator].
	ValidatorCase = Case[hook.ValidateRequest, hook.ValidateResult]
	// RevalidatorCase is a case of a [hook.Revalidator].
	RevalidatorCase = Case[hook.RevalidateRequest, hook.RevalidateResult]
	// RendererCase is a case of a [hook.Renderer].
	RendererCase = Case[hook.RenderRequest, hook.RenderResult]
	// ArchiverCase is a case of a [hook.Archiver].
	ArchiverCase = Case[hook.ArchiveRequest, hook.ArchiveResult]
	// ObserverCase is a case of a [hook.Observer]; it answers nothing.
	ObserverCase = Case[hook.ObserveRequest, struct{}]
)
