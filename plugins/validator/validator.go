package validator

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/snapshot"
	"github.com/stagehook/stagehook/sdk/workspace"
)

// Spec returns the plugin.
func Spec() *sdk.Spec {
	return &sdk.Spec{
		Name:      "snapshot-validator",
		Version:   sdk.Version,
		Stateless: true,
		Validator: validator{},
	}
}

type validator struct{}

// maxSchemaBytes bounds a file judged at schema level, whose size does not count.
const maxSchemaBytes = 1 << 20

// Validate reads the snapshot and judges it. What keeps it from being read is a
// verdict too: the caller must not go on either way.
func (validator) Validate(_ context.Context, req *sdk.ValidateRequest) (*sdk.ValidateResult, error) {
	res := &sdk.ValidateResult{Path: snapshot.Path(req.Task.ID)}
	malformed := func(problem *snapshot.Problem) (*sdk.ValidateResult, error) {
		res.Verdict, res.Problem = hook.VerdictMalformed, problem
		return res, nil
	}
	ws, err := workspace.Open(req.Task.Root)
	if err != nil {
		return nil, sdk.FailIO(err)
	}
	defer ws.Close()

	limit := int64(snapshot.MaxBytes)
	if req.Level == snapshot.LevelSchema {
		limit = maxSchemaBytes
	}
	data, info, err := ws.Read(res.Path, limit)
	if errors.Is(err, fs.ErrNotExist) {
		res.Verdict = hook.VerdictMissing
		return res, nil
	}
	if problem := unread(err); problem != nil {
		return malformed(problem)
	}
	if req.Level != snapshot.LevelSchema {
		if problem := exposed(info); problem != nil {
			return malformed(problem)
		}
	}
	grammar, err := req.Task.Grammar()
	if err != nil {
		return nil, err
	}
	parsed, problem := snapshot.Parse(data, snapshot.Expect{
		TaskID:  req.Task.ID,
		Grammar: grammar,
		Level:   req.Level,
		Marker:  req.Task.Rules.Marker,
	})
	if problem != nil {
		return malformed(problem)
	}
	res.Verdict, res.Snapshot = hook.VerdictValid, parsed
	return res, nil
}

// unread words why a file could not be read, nil when it was.
func unread(err error) *snapshot.Problem {
	var (
		kind  *workspace.KindError
		large *workspace.TooLargeError
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &kind) && kind.Got == workspace.KindSymlink:
		return &snapshot.Problem{Code: snapshot.CodeSymlink, Detail: err.Error()}
	case errors.As(err, &kind):
		return &snapshot.Problem{Code: snapshot.CodeNotRegular, Detail: err.Error()}
	case errors.As(err, &large):
		return &snapshot.Problem{Code: snapshot.CodeTooLarge, Detail: err.Error()}
	default:
		return &snapshot.Problem{Code: snapshot.CodeUnreadable, Detail: err.Error()}
	}
}

// exposed says who else could have written the file that was read.
func exposed(info os.FileInfo) *snapshot.Problem {
	if owner, ok := ownerOf(info); ok && owner != os.Geteuid() {
		return &snapshot.Problem{Code: snapshot.CodeWrongOwner, Detail: "the file belongs to another user"}
	}
	if writableByOthers(info) {
		return &snapshot.Problem{Code: snapshot.CodeWritableByOthers, Detail: "the file has mode " + info.Mode().Perm().String() + ": its group or others may write it"}
	}
	return nil
}
