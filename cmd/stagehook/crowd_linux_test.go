package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
)

// crowd is how many stage exits run at once.
const crowd = 32

// startAll starts a crowd of commands, which must all succeed in silence.
func (s *site) startAll(prepare func(i int) *exec.Cmd) {
	s.Helper()
	var commands [crowd]*exec.Cmd
	var output [crowd]bytes.Buffer
	for i := range commands {
		commands[i] = prepare(i)
		commands[i].Env = append(commands[i].Env, "DR_SNAPSHOT_LOCK_TIMEOUT=60")
		commands[i].Stdout, commands[i].Stderr = &output[i], &output[i]
		if err := commands[i].Start(); err != nil {
			s.Fatal(err)
		}
	}
	for i, cmd := range commands {
		if code := s.wait(cmd); code != exitOK || output[i].Len() > 0 {
			s.Errorf("number %d ended with %d: %s", i, code, &output[i])
		}
	}
	s.wantGone()
	s.wantOnly(s.temp)
}

func TestCrowdOnOneTask(t *testing.T) {
	s := newSite(t)
	answers := [...]string{"old", "new"}
	next, old := s.store("new"), s.store("old")
	s.startAll(func(i int) *exec.Cmd { return s.stageExit(answers[i%2]) })
	if got := s.whole(s.snapshot()); got != old && got != next {
		t.Error("the snapshot is nobody's")
	}
	s.wantClean()
}

func TestCrowdOnManyTasks(t *testing.T) {
	s := newSite(t)
	var want []string
	s.startAll(func(i int) *exec.Cmd {
		task := fmt.Sprintf("TUNE-%04d", i)
		want = append(want, task+".snapshot.md")
		return s.stageExitOf(task, "new")
	})
	s.wantOnly(s.snapshots(), want...)
	for _, name := range want {
		s.wholeOf(name[:len("TUNE-0000")], filepath.Join(s.snapshots(), name))
	}
}
