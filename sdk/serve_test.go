//go:build unix

package sdk

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/host2plugin"
)

// The test binary plays the plugin: its first argument is "plugin" then, and the
// second names what the plugin does when it archives.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "plugin" {
		os.Exit(Serve(spec(os.Args[2])))
	}
	os.Exit(m.Run())
}

func spec(behaviour string) *Spec {
	s := &Spec{Name: "test-plugin", Version: "1.2.3", Archiver: archiver(behaviour)}
	s.Settings = &struct {
		Depth int `json:"depth"`
	}{}
	if behaviour == "bad spec" {
		s.Name = "Bad"
	}
	return s
}

type archiver string

// Archive gets the path of a marker file in the place of the event.
func (a archiver) Archive(ctx context.Context, req *ArchiveRequest) (*ArchiveResult, error) {
	switch a {
	case "print":
		fmt.Println("on standard output")
		fmt.Fprintln(os.Stderr, "on standard error")
	case "log":
		Logger(ctx).Debug("for the curious")
		Logger(ctx).Error("for all")
	case "tidy":
		os.WriteFile(req.Event+".begun", nil, 0o600)
		<-ctx.Done()
		time.Sleep(100 * time.Millisecond) // the process must wait for the rest
		os.WriteFile(req.Event+".ended", nil, 0o600)
	case "hang":
		os.WriteFile(req.Event+".begun", nil, 0o600)
		select {}
	}
	return &ArchiveResult{Path: "x"}, nil
}

// undelayed keeps the race detector from delaying the end of a process.
const undelayed = "GORACE=atexit_sleep_ms=0"

// run runs the plugin as a person would.
func run(t *testing.T, environ []string, args ...string) (stdout, stderr string, exit int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"plugin"}, args...)...)
	cmd.Env = append(append(os.Environ(), undelayed), environ...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func TestServeByHandExplainsItself(t *testing.T) {
	for _, environ := range [][]string{nil, {hook.CookieKey + "=of another host"}} {
		stdout, stderr, exit := run(t, environ, "good")
		want := "test-plugin is a stagehook plugin: name it in stagehook's configuration, or run it with the argument \"describe\"\n"
		if stdout != "" || stderr != want || exit != 1 {
			t.Errorf("exit code %d, output %q, %q; want 1 and %q", exit, stdout, stderr, want)
		}
	}
}

func TestServeDescribes(t *testing.T) {
	for _, environ := range [][]string{nil, {hook.CookieKey + "=" + hook.CookieValue}} {
		stdout, stderr, exit := run(t, environ, "good", "describe")
		if exit != 0 || stderr != "" {
			t.Fatalf("exit code %d, standard error %q", exit, stderr)
		}
		var got, want map[string]any
		if err := json.Unmarshal([]byte(stdout), &got); err != nil {
			t.Fatalf("%v in %q", err, stdout)
		}
		description, err := spec("good").Describe()
		if err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(description)
		json.Unmarshal(text, &want)
		if !reflect.DeepEqual(got, want) || got["name"] != "test-plugin" || got["settings"] == nil {
			t.Errorf("the description is %v; want %v", got, want)
		}
	}
}

func TestServeRefusesABadSpec(t *testing.T) {
	for _, argument := range []string{"", "describe"} {
		stdout, stderr, exit := run(t, nil, "bad spec", argument)
		if stdout != "" || !strings.HasPrefix(stderr, `plugin spec: name "Bad": `) || exit != 1 {
			t.Errorf("exit code %d, output %q, %q", exit, stdout, stderr)
		}
	}
}

// host is a plugin's host of the barest kind.
type host struct {
	*exec.Cmd
	lifeline io.Closer
	stderr   bytes.Buffer
	client   *host2plugin.Client
	sockets  string // a directory
	marker   string
}

func startPlugin(t *testing.T, behaviour string, environ ...string) *host {
	t.Helper()
	h := &host{Cmd: exec.Command(os.Args[0], "plugin", behaviour), marker: filepath.Join(t.TempDir(), "call")}
	var err error
	h.sockets, err = os.MkdirTemp("/tmp", "") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(h.sockets) })
	h.Env = append(os.Environ(),
		goplugin.EnvUnixSocketDir+"="+h.sockets,
		hook.CookieKey+"="+hook.CookieValue,
		"PLUGIN_PROTOCOL_VERSIONS=1",
		undelayed,
	)
	h.Env = append(h.Env, environ...)
	h.Stderr = &h.stderr
	lifeline, err := h.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	h.lifeline = lifeline
	stdout, err := h.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Process.Kill(); h.Wait() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("%v, standard error %s", err, &h.stderr)
	}
	fields := strings.Split(line, "|") // 1|1|unix|ADDRESS|grpc|
	conn, err := grpc.NewClient("unix:"+fields[3], grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	h.client = host2plugin.NewClient(conn)
	return h
}

// archive makes the call.
func (h *host) archive() error {
	_, err := h.client.Archive(context.Background(), &ArchiveRequest{Task: Task{Root: "/", ID: "TUNE-0254"}, Event: h.marker})
	return err
}

// begin makes the call and returns when the plugin is in it.
func (h *host) begin(t *testing.T) {
	t.Helper()
	go h.archive()
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(h.marker + ".begun"); err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the call does not begin")
		}
	}
}

// wantEnd waits for the end of the process and returns what it has printed.
func (h *host) wantEnd(t *testing.T) string {
	t.Helper()
	timer := time.AfterFunc(patience, func() { h.Process.Kill() })
	defer timer.Stop()
	if err := h.Wait(); err != nil {
		t.Errorf("the process: %v", err)
	}
	return h.stderr.String()
}

// Whatever ends the process, a call that is running may tidy up before. The
// directory of its socket goes with it: there may be no host left to remove it.
func TestServeEnds(t *testing.T) {
	for name, end := range map[string]func(*host){
		"SIGTERM":             func(h *host) { h.Process.Signal(syscall.SIGTERM) },
		"SIGHUP":              func(h *host) { h.Process.Signal(syscall.SIGHUP) },
		"the end of its host": func(h *host) { h.lifeline.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			h := startPlugin(t, "tidy", host2plugin.EnvLifeline+"=stdin")
			h.begin(t)
			end(h)
			h.wantEnd(t)
			if _, err := os.Stat(h.marker + ".ended"); err != nil {
				t.Errorf("the call could not end: %v", err)
			}
			if _, err := os.Stat(h.sockets); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the directory of the socket: %v", err)
			}
		})
	}
}

// A call that does not end does not keep the process.
func TestServeEndsWithoutItsCalls(t *testing.T) {
	h := startPlugin(t, "hang")
	h.begin(t)
	h.Process.Signal(syscall.SIGTERM)
	if log := h.wantEnd(t); !strings.Contains(log, "gave up waiting for a call to end") {
		t.Errorf("the log is %s", log)
	}
}

// Without the promise of a lifeline, standard input means nothing, and a Ctrl-C is
// for the host.
func TestServeGoesOn(t *testing.T) {
	h := startPlugin(t, "good")
	for range 10 {
		if err := h.archive(); err != nil {
			t.Fatal(err)
		}
		h.lifeline.Close()
		h.Process.Signal(syscall.SIGINT)
	}
}

// What a plugin prints in a call arrives even if the process dies next.
func TestServeKeepsWhatIsPrinted(t *testing.T) {
	h := startPlugin(t, "print")
	if err := h.archive(); err != nil {
		t.Fatal(err)
	}
	h.Process.Kill()
	h.Wait()
	if got := h.stderr.String(); got != "on standard output\non standard error\n" {
		t.Errorf("standard error is %q", got)
	}
}

// The host sets the level of the log. Errors are written at any.
func TestServeLogs(t *testing.T) {
	for level, curious := range map[string]bool{"debug": true, "warn": false, "off": false, "": false, "loud": false} {
		h := startPlugin(t, "log", hook.EnvLogLevel+"="+level)
		if err := h.archive(); err != nil {
			t.Fatal(err)
		}
		h.Process.Signal(syscall.SIGTERM)
		messages := map[string]any{}
		for line := range strings.Lines(h.wantEnd(t)) {
			var entry map[string]any
			if err := json.Unmarshal([]byte(line), &entry); err != nil {
				t.Fatalf("%v in %q", err, line)
			}
			messages[entry["@message"].(string)] = entry["@level"]
		}
		if messages["for all"] != "error" || (messages["for the curious"] == "debug") != curious {
			t.Errorf("level %q: the log has %v", level, messages)
		}
	}
}
