package sdktest

import (
	"time"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// TaskID is the task of requests that name none.
const TaskID = "TEST-0001"

// capturedAt is when the stage of the samples ended.
var capturedAt = time.Date(2026, 5, 21, 13, 45, 0, 0, time.UTC)

// Answer returns a valid answer, to send as it is or to change.
func Answer() hook.Answer {
	return hook.Answer{
		Stage:           "plan",
		Command:         "/dr-plan",
		CapturedAt:      capturedAt,
		CapturedBy:      "agent",
		RecommendedNext: "/dr-do",
		Options:         []string{"/dr-do " + TaskID + " | build the first step"},
		Body:            []byte("The plan has three steps.\n"),
	}
}

// Snapshot returns the snapshot of [Answer] as a validator reads it.
func Snapshot() *snapshot.Snapshot {
	a := Answer()
	_, stored := render(&snapshot.Snapshot{
		TaskID:          TaskID,
		Stage:           a.Stage,
		Command:         a.Command,
		CapturedAt:      a.CapturedAt,
		CapturedBy:      a.CapturedBy,
		RecommendedNext: a.RecommendedNext,
		Options:         a.Options,
		Body:            a.Body,
	})
	return stored
}

// SnapshotFile returns the file that holds a snapshot. Its place in a workspace is
// [snapshot.Path]. A snapshot that cannot be in a file panics.
func SnapshotFile(s *snapshot.Snapshot) string {
	file, _ := render(s)
	return file
}

func render(s *snapshot.Snapshot) (string, *snapshot.Snapshot) {
	file, stored, err := snapshot.Render(*s, snapshot.RenderOptions{})
	if err != nil {
		panic(err)
	}
	return string(file), &stored.Snapshot
}

// lockTimeout is how long a request that says nothing else waits for a lock.
const lockTimeout = 10 * time.Second

// fillTask names a task that a host would have named. The ID of a request that is
// to be refused is never empty.
func fillTask(t *hook.Task, root string) {
	t.Root = root
	if t.ID == "" {
		t.ID = TaskID
	}
	if t.Rules.Marker == "" {
		t.Rules.Marker = snapshot.Marker
	}
}
