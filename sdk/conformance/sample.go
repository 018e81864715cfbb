package conformance

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/internal/toproto"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// taskID is the task of all calls.
const taskID = "CHECK-0001"

// capturedAt is when the task's stage ended.
var capturedAt = time.Date(2026, 5, 21, 13, 45, 0, 0, time.UTC)

// sample makes the requests of one check, on a temporary workspace.
type sample struct {
	task        hook.Task
	body        []byte
	lockTimeout time.Duration
}

// newSample makes the workspace, with a snapshot of the task in it.
func newSample() (*sample, error) {
	// Not named datarim-something: a root must not lie in such a folder.
	root, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return nil, &hostError{err}
	}
	r := &sample{
		task:        hook.Task{Root: root, ID: taskID, Rules: hook.Rules{Marker: snapshot.Marker}},
		body:        []byte("The plan has three steps.\n"),
		lockTimeout: callLimit,
	}
	if err := r.fill(); err != nil {
		r.remove()
		return nil, &hostError{err}
	}
	return r, nil
}

func (r *sample) fill() error {
	file, _, err := snapshot.Render(*r.snapshot(), snapshot.RenderOptions{})
	if err != nil {
		return err
	}
	path := filepath.Join(r.task.Root, filepath.FromSlash(snapshot.Path(taskID)))
	return errors.Join(
		os.MkdirAll(filepath.Dir(path), 0o700),
		os.WriteFile(path, file, 0o600),
		os.WriteFile(filepath.Join(r.task.Root, "datarim", "tasks.md"), nil, 0o600),
	)
}

func (r *sample) remove() { _ = os.RemoveAll(r.task.Root) }

// list is everything in the workspace, with sizes and times.
func (r *sample) list() (string, error) {
	var text strings.Builder
	err := filepath.WalkDir(r.task.Root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			fmt.Fprintf(&text, "%s %s %d %s\n", path, info.Mode(), info.Size(), info.ModTime())
		}
		return err
	})
	if err != nil {
		return "", &hostError{err}
	}
	return text.String(), nil
}

func (r *sample) snapshot() *snapshot.Snapshot {
	return &snapshot.Snapshot{
		TaskID: taskID, Stage: "plan", Command: "/dr-plan", CapturedAt: capturedAt, CapturedBy: "agent",
		RecommendedNext: "/dr-do", Options: []string{"/dr-do " + taskID + " | build the first step"},
		SizeBytes: 300, Body: r.body,
	}
}

func (r *sample) write() *hook.WriteRequest {
	s := r.snapshot()
	return &hook.WriteRequest{Task: r.task, LockTimeout: r.lockTimeout, Answer: hook.Answer{
		Stage: s.Stage, Command: s.Command, CapturedAt: s.CapturedAt, CapturedBy: s.CapturedBy,
		RecommendedNext: s.RecommendedNext, Options: s.Options, Body: s.Body,
	}}
}

func (r *sample) validate() *hook.ValidateRequest {
	return &hook.ValidateRequest{Task: r.task, Level: snapshot.LevelStrict}
}

func (r *sample) revalidate() *hook.RevalidateRequest {
	return &hook.RevalidateRequest{Task: r.task, Snapshot: r.snapshot()}
}

func (r *sample) render() *hook.RenderRequest {
	return &hook.RenderRequest{Task: r.task, Snapshot: r.snapshot()}
}

func (r *sample) archive() *hook.ArchiveRequest {
	return &hook.ArchiveRequest{Task: r.task, Event: "archive", LockTimeout: r.lockTimeout}
}

func (r *sample) observe() *hook.ObserveRequest {
	return &hook.ObserveRequest{
		Task: r.task, Event: "stage-exit", Result: "done", Started: capturedAt, Elapsed: time.Second,
		Steps: []hook.StepReport{{Kind: hook.KindWriter, Plugin: "snapshot-writer", PID: 1, Start: time.Second, Call: time.Second}},
	}
}

// message is the request of a kind as it goes over the wire.
func (r *sample) message(kind hook.Kind) ([]byte, error) {
	var m proto.Message
	switch kind {
	case hook.KindWriter:
		m = toproto.WriteRequest(r.write())
	case hook.KindValidator:
		m = toproto.ValidateRequest(r.validate())
	case hook.KindRevalidator:
		m = toproto.RevalidateRequest(r.revalidate())
	case hook.KindRenderer:
		m = toproto.RenderRequest(r.render())
	case hook.KindArchiver:
		m = toproto.ArchiveRequest(r.archive())
	case hook.KindObserver:
		m = toproto.ObserveRequest(r.observe())
	}
	text, err := proto.Marshal(m)
	if err != nil {
		return nil, &hostError{err}
	}
	return text, nil
}

// call makes the call of a kind and judges the answer as a host does.
func (r *sample) call(ctx context.Context, p *process, kind hook.Kind) error {
	switch kind {
	case hook.KindWriter:
		_, err := p.client.Write(ctx, r.write())
		return err
	case hook.KindValidator:
		res, err := p.client.Validate(ctx, r.validate())
		if err == nil && res.Snapshot != nil && res.Snapshot.TaskID != taskID {
			err = fmt.Errorf("it answered for task %q", res.Snapshot.TaskID)
		}
		return err
	case hook.KindRevalidator:
		res, err := p.client.Revalidate(ctx, r.revalidate())
		if err == nil && res.Route != nil {
			err = identity.RecommendedNext(res.Route.Command)
		}
		return err
	case hook.KindRenderer:
		res, err := p.client.Render(ctx, r.render())
		if err != nil {
			return err
		}
		return judgeRendered(res)
	case hook.KindArchiver:
		res, err := p.client.Archive(ctx, r.archive())
		if err == nil && res.Archived && res.Path == "" {
			err = errors.New("it archived, and does not say where to")
		}
		return err
	default:
		return p.client.Observe(ctx, r.observe())
	}
}

func judgeRendered(res *hook.RenderResult) error {
	word, _, _ := strings.Cut(res.Command, " ")
	switch {
	case len(res.Prompt) == 0:
		return errors.New("its prompt is empty")
	case identity.Command(word) != nil:
		return fmt.Errorf("its command %q is none", res.Command)
	}
	return errors.Join(identity.Line("its command", res.Command), identity.Line("its purpose", res.Purpose))
}
