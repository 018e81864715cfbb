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

// Validate reads the file and judges it. What keeps it from being read is a
// verdict too: the caller must not go on either way.
func (validator) Validate(_ context.Context, req *sdk.ValidateRequest) (*sdk.ValidateResult, error) {
	res := &sdk.ValidateResult{Path: snapshot.FilePath(req.Task.ID, req.Task.SessionID)}
	malformed := func(problem *snapshot.Problem) (*sdk.ValidateResult, error) {
		res.Verdict, res.Problem = hook.VerdictMalformed, problem
		return res, nil
	}
	ws, err := workspace.Open(req.Task.Root)
	if err != nil {
		return nil, sdk.FailIO(err)
	}
	defer ws.Close()

	data, info, err := ws.Read(res.Path, maxBytes(req))
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
	problem, err := parse(req, data, res)
	if err != nil {
		return nil, err
	}
	if problem != nil {
		return malformed(problem)
	}
	res.Verdict = hook.VerdictValid
	return res, nil
}

// maxBytes bounds the file that is asked for.
func maxBytes(req *sdk.ValidateRequest) int64 {
	switch {
	case req.Task.SessionID != "":
		return snapshot.MaxSessionBytes
	case req.Level == snapshot.LevelSchema:
		return maxSchemaBytes
	default:
		return snapshot.MaxBytes
	}
}

// parse puts what the file holds into the result, or says why it holds nothing.
func parse(req *sdk.ValidateRequest, data []byte, res *sdk.ValidateResult) (problem *snapshot.Problem, err error) {
	if id := req.Task.SessionID; id != "" {
		res.Session, problem = snapshot.ParseSession(data, id, req.Level)
		return problem, nil
	}
	grammar, err := req.Task.Grammar()
	if err != nil {
		return nil, err
	}
	res.Snapshot, problem = snapshot.Parse(data, snapshot.Expect{
		TaskID:  req.Task.ID,
		Grammar: grammar,
		Level:   req.Level,
		Marker:  req.Task.Rules.Marker,
	})
	return problem, nil
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
