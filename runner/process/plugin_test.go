//go:build unix

package process

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/host2plugin"
)

// playPlugin is an honest plugin. Its first argument names what it does when it
// renders, and its last may be "stateless".
func playPlugin(args []string) int {
	behave := behaviours[args[0]]
	if behave == nil {
		fmt.Fprintf(os.Stderr, "no behaviour %q\n", args[0])
		return 1
	}
	p := &plugin{behave: behave, args: args[1:], settings: settings{Depth: 1}}
	exit := sdk.Serve(&sdk.Spec{
		Name: "honest", Version: "1.2.3", Settings: &p.settings,
		Stateless: args[len(args)-1] == "stateless",
		Renderer:  p, Revalidator: p, Observer: p,
	})
	switch args[0] {
	case "immortal":
		time.Sleep(5 * time.Minute)
	case "linger":
		time.Sleep(2500 * time.Millisecond)
		mark(args[1])
	}
	return exit
}

type settings struct {
	Depth int `json:"depth"`
}

func (s *settings) Validate() error {
	switch s.Depth {
	case 13:
		panic("unlucky")
	case 0:
		return errors.New("depth: must not be 0")
	}
	return nil
}

type plugin struct {
	settings settings
	behave   func(ctx context.Context, args []string) ([]byte, error)
	args     []string
}

// Render answers with what the behaviour returns.
func (p *plugin) Render(ctx context.Context, _ *hook.RenderRequest) (*hook.RenderResult, error) {
	prompt, err := p.behave(ctx, p.args)
	if err != nil {
		return nil, err
	}
	return &hook.RenderResult{Command: "/dr-do", Prompt: prompt}, nil
}

// Revalidate answers with its setting.
func (p *plugin) Revalidate(context.Context, *hook.RevalidateRequest) (*hook.RevalidateResult, error) {
	return &hook.RevalidateResult{Refusals: []hook.Refusal{{Code: "depth", Detail: fmt.Sprint(p.settings.Depth)}}}, nil
}

// Observe fails.
func (p *plugin) Observe(context.Context, *hook.ObserveRequest) error {
	return &hook.Failure{Code: hook.FailureIO, Message: "no space left", Hint: "buy a disk"}
}

var behaviours = map[string]func(ctx context.Context, args []string) ([]byte, error){
	"good":   func(context.Context, []string) ([]byte, error) { return []byte("prompt"), nil },
	"linger": func(context.Context, []string) ([]byte, error) { return []byte("x"), nil },
	"immortal": func(context.Context, []string) ([]byte, error) {
		signal.Ignore(syscall.SIGTERM)
		return []byte("x"), nil
	},
	"big":   func(context.Context, []string) ([]byte, error) { return make([]byte, hook.MaxMessageBytes+1), nil },
	"panic": func(context.Context, []string) ([]byte, error) { panic("out of cheese") },
	"fatal": func(context.Context, []string) ([]byte, error) {
		new(sync.Mutex).Unlock()
		return nil, nil
	},
	"crash": func(context.Context, []string) ([]byte, error) {
		go func() { panic("out of\ncheese") }()
		select {}
	},
	"exit": func(context.Context, []string) ([]byte, error) {
		fmt.Println("on standard output")
		fmt.Fprint(os.Stderr, "out of cheese")
		os.Exit(3)
		return nil, nil
	},
	"kill": func(context.Context, []string) ([]byte, error) {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	},
	"stop": func(context.Context, []string) ([]byte, error) {
		syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		select {}
	},
	// It leaves its group for its host's and then hears nothing any more.
	"defect": func(context.Context, []string) ([]byte, error) {
		group, err := syscall.Getpgid(os.Getppid())
		if err == nil {
			err = syscall.Setpgid(0, group)
		}
		if err != nil {
			return nil, err
		}
		syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		select {}
	},
	"disconnect": func(context.Context, []string) ([]byte, error) { disconnect(); select {} },
	"environ":    func(context.Context, []string) ([]byte, error) { return json.Marshal(os.Environ()) },
	// The plugin's own deadline, not the call's.
	"overdue": func(ctx context.Context, _ []string) ([]byte, error) {
		own, cancel := context.WithTimeout(ctx, time.Nanosecond)
		defer cancel()
		<-own.Done()
		return nil, fmt.Errorf("policy server: %w", own.Err())
	},
	// These tell with a file that they have begun, and how they end.
	"tidy": func(ctx context.Context, args []string) ([]byte, error) {
		mark(args[0] + ".begun")
		<-ctx.Done()
		mark(args[0] + ".ending")
		time.Sleep(200 * time.Millisecond)
		mark(args[0] + ".ended")
		return nil, ctx.Err()
	},
	"gate": func(_ context.Context, args []string) ([]byte, error) {
		mark(args[0] + ".begun")
		for !exists(args[0] + ".gate") {
			time.Sleep(time.Millisecond)
		}
		return []byte("prompt"), nil
	},
	"ignore": func(_ context.Context, args []string) ([]byte, error) { mark(args[0] + ".begun"); select {} },
	"terminate": func(ctx context.Context, args []string) ([]byte, error) {
		syscall.Kill(os.Getpid(), syscall.SIGTERM)
		<-ctx.Done()
		mark(args[0] + ".ended")
		return nil, ctx.Err()
	},
	"print": func(_ context.Context, args []string) ([]byte, error) { return []byte("printed"), printMuch(args[0]) },
	// A grandchild that holds the plugin's outputs.
	"fork": func(_ context.Context, args []string) ([]byte, error) { return fork(&syscall.SysProcAttr{}, args[0]) },
	"leave": func(_ context.Context, args []string) ([]byte, error) {
		return fork(&syscall.SysProcAttr{Setsid: true}, args[0])
	},
}

// The real ones: go-plugin puts others in their place.
var stdout, stderr = os.Stdout, os.Stderr

func mark(path string) {
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		panic(err)
	}
}

// fork starts a process that outlives this one and tells its ID.
func fork(attributes *syscall.SysProcAttr, pidFile string) ([]byte, error) {
	cmd := exec.Command("sleep", "300")
	cmd.SysProcAttr = attributes
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	pid := []byte(fmt.Sprint(cmd.Process.Pid))
	return pid, os.WriteFile(pidFile, pid, 0o600)
}

// disconnect ends the connections of this process but not its listening socket.
func disconnect() {
	for fd := 3; fd < 256; fd++ {
		if _, err := syscall.Getpeername(fd); err == nil {
			syscall.Shutdown(fd, syscall.SHUT_RDWR)
		}
	}
}

// printMuch prints 10 MB in one line and then another line.
func printMuch(where string) error {
	file := map[string]*os.File{"1": stdout, "2": stderr, "os.Stdout": os.Stdout, "os.Stderr": os.Stderr}[where]
	if _, err := file.Write(bytes.Repeat([]byte{'x'}, 10_000_000)); err != nil {
		return err
	}
	_, err := file.WriteString("\nthe last line\n")
	return err
}

// playEarly does something before it serves.
func playEarly(args []string) int {
	switch args[0] {
	case "print":
		fmt.Println("starting up")
	case "panic":
		panic("no configuration")
	case "wait": // for one file, after making another
		mark(args[1])
		for !exists(args[2]) {
			time.Sleep(time.Millisecond)
		}
	case "spec":
		return sdk.Serve(&sdk.Spec{Name: "Bad"})
	}
	return playPlugin([]string{"good"})
}

// playMute makes a handshake for a socket on which it never answers.
func playMute([]string) int {
	defer shakeHands().Close()
	select {}
}

// playForeign is a plugin without go-plugin, as one in another language may be. It
// ends with its standard input, and makes a file then.
func playForeign(args []string) int {
	server := grpc.NewServer()
	host2plugin.Register(server, &hook.Spec{Name: "foreign", Version: "1.2.3", Renderer: &plugin{behave: behaviours["good"]}})
	go server.Serve(shakeHands())
	io.Copy(io.Discard, os.Stdin)
	mark(args[0])
	return 0
}

func shakeHands() net.Listener {
	listener, err := net.Listen("unix", os.Getenv("PLUGIN_UNIX_SOCKET_DIR")+"/socket")
	if err != nil {
		panic(err)
	}
	fmt.Printf("1|1|unix|%s|grpc\n", listener.Addr())
	return listener
}

// playDaemonize leaves a process in another session and fails.
func playDaemonize(args []string) int {
	fmt.Fprintln(os.Stderr, strings.Join(args[1:], " "))
	fork(&syscall.SysProcAttr{Setsid: true}, args[0])
	return 3
}
