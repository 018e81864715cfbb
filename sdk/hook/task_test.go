package hook

import "testing"

// What a plugin gets has passed the grammar, since it becomes part of paths.
func TestTaskCheck(t *testing.T) {
	root := t.TempDir()
	const id, session = "TUNE-0254", "SESSION-20260521-134500"
	for _, test := range []struct {
		task                 Task
		wantTask, wantEither bool // whether Check and CheckSubject pass
	}{
		{Task{Root: root, ID: id}, true, true},
		{Task{Root: root, SessionID: session}, false, true},
		{Task{Root: root, ID: id, SessionID: session}, true, true},
		{Task{Root: root}, false, false},
		{Task{Root: root, ID: "../x"}, false, false},
		{Task{Root: root, SessionID: "../x"}, false, false},
		{Task{Root: root, ID: id, SessionID: "../x"}, false, false},
		{Task{Root: root, ID: "../x", SessionID: session}, false, false},
		{Task{Root: ".", ID: id}, false, false},
		{Task{Root: ".", SessionID: session}, false, false},
	} {
		if err := test.task.Check(); (err == nil) != test.wantTask {
			t.Errorf("%+v: Check: %v", test.task, err)
		}
		if err := test.task.CheckSubject(); (err == nil) != test.wantEither {
			t.Errorf("%+v: CheckSubject: %v", test.task, err)
		}
	}
}
