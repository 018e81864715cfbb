//go:build unix

package process

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/stagehook/stagehook/sdk/hook"
)

func TestDescribe(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	command := as("plugin", "good")
	for _, pin := range []string{"", sum(t, command.Argv[0])} {
		command.SHA256 = pin
		got, err := Describe(t.Context(), command)
		if err != nil {
			t.Fatal(err)
		}
		kinds := []hook.Kind{hook.KindRevalidator, hook.KindRenderer, hook.KindObserver}
		if got.Name != "honest" || got.Version != "1.2.3" || !slices.Equal(got.Kinds, kinds) ||
			!slices.Equal(got.Protocols, []int{hook.ProtocolVersion}) || got.Settings.Properties["depth"] == nil {
			t.Errorf("the description is %+v", got)
		}
	}
}

func TestFailingDescribe(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	const good = `{"name":"x","version":"1.0.0","kinds":["writer"]}`
	tests := map[string]struct{ script, want string }{
		"hangs":            {`echo hm >&2; exec sleep 300`, `did not describe itself within 1s: hm`},
		"prints for ever":  {`exec yes`, `printed more than 1048576 bytes to describe itself`},
		"prints too much":  {`head -c 1048577 /dev/zero`, `printed more than 1048576 bytes to describe itself`},
		"prints nothing":   {`exit 0`, `printed no JSON description: EOF`},
		"prints no JSON":   {`echo hello`, `printed no JSON description: invalid character 'h' .*`},
		"half JSON":        {`echo '{"name":"x"'`, `printed no JSON description: unexpected EOF`},
		"other JSON":       {`echo '["x"]'`, `printed no JSON description: json: cannot unmarshal array .*`},
		"null":             {`echo null`, `printed a description without name, version or kinds`},
		"two descriptions": {`echo '` + good + good + `'`, `printed more than one JSON description`},
		"text after it":    {`echo '` + good + `'; echo done`, `printed more than one JSON description`},
		"fails":            {`echo '` + good + `'; echo no licence >&2; exit 3`, `could not describe itself: exited with status 3: no licence`},
		"crashes":          {`kill -KILL $$`, `could not describe itself: ended by signal: killed`},
	}
	t.Run("all", func(t *testing.T) {
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				command := script(t, test.script)
				command.StartTimeout = time.Hour // nothing else may need the timeout
				if name == "hangs" {
					command.StartTimeout = time.Second
				}
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				_, err := Describe(ctx, command)
				wantError(t, err, test.want)
			})
		}
	})
}

func TestDescribeMissingProgram(t *testing.T) {
	_, err := Describe(t.Context(), running("no-such-program"))
	wantError(t, err, `no-such-program is not in PATH`)
}

// A grandchild that holds the output delays nothing, and ends if it is in the
// plugin's group.
func TestDescribeWithGrandchild(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	group := filepath.Join(t.TempDir(), "group")
	command := script(t, `sleep 300 & echo $$ >`+group+`; echo '{"name":"x","version":"1.0.0","kinds":["writer"]}'`)
	if _, err := Describe(t.Context(), command); err != nil {
		t.Error(err)
	}
	content, err := os.ReadFile(group)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(content[:len(content)-1]))
	if err != nil {
		t.Fatal(err)
	}
	wantNoGroup(t, pid)
}

func TestCallerCancelsDescribe(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	begun := filepath.Join(t.TempDir(), "begun")
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() {
		_, err := Describe(ctx, script(t, `touch `+begun+`; exec sleep 300`))
		failed <- err
	}()
	wait(t, "the plugin", func() bool { return exists(begun) })
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v; want %v", err, context.Canceled)
	}
}
