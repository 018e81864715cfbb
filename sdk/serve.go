package sdk

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/host2plugin"
)

// Serve runs the plugin until its host is done with it, and returns the exit
// code for main. When the last argument of the process is "describe" it prints
// the plugin's description as JSON instead.
//
// The process ends when the host asks it to, when the host dies, or on SIGTERM
// or SIGHUP. Calls that are running then see their context end and have
// [hook.StopGrace] to tidy up.
func Serve(spec *Spec) int {
	if err := spec.Validate(); err != nil {
		fmt.Fprintf(os.Stderr, "plugin spec: %v\n", err)
		return 1
	}
	if os.Args[len(os.Args)-1] == "describe" {
		return describe(spec, os.Stdout)
	}
	if os.Getenv(hook.CookieKey) != hook.CookieValue {
		fmt.Fprintf(os.Stderr, "%s is a stagehook plugin: name it in stagehook's configuration, or run it with the argument \"describe\"\n", spec.Name)
		return 1
	}

	// Without a reader, output must not end the process before it has tidied up.
	signal.Ignore(syscall.SIGPIPE)
	log := logger(spec)
	calls := newCalls(log)
	var server *grpc.Server
	stop := func() {
		calls.cancel()
		server.Stop()
	}
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig:  host2plugin.Handshake(),
		VersionedPlugins: host2plugin.Plugins(spec),
		Logger:           log,
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			server = grpc.NewServer(append(opts,
				grpc.MaxRecvMsgSize(hook.MaxMessageBytes),
				grpc.UnaryInterceptor(calls.intercept),
			)...)
			go stopWithHost(os.Stdin, stop)
			go stopOnSignal(stop)
			return server
		},
	})
	if server == nil {
		return 1 // go-plugin has logged why it could not serve
	}
	calls.finish(hook.StopGrace)
	// The host would have removed it, if it still can. It is empty by now, or not ours.
	_ = os.Remove(os.Getenv(goplugin.EnvUnixSocketDir))
	return 0
}

func describe(spec *Spec, out io.Writer) int {
	description, err := spec.Describe()
	if err == nil {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(description)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "describe: %v\n", err)
		return 1
	}
	return 0
}

// logger writes JSON lines to standard error, where the host reads them. Errors
// are always written: when a start fails they are the only word on the cause.
func logger(spec *Spec) hclog.Logger {
	level := hclog.LevelFromString(os.Getenv(hook.EnvLogLevel))
	if level == hclog.NoLevel || level > hclog.Error {
		level = hclog.Error
	}
	return hclog.New(&hclog.LoggerOptions{
		Name:       spec.Name,
		Level:      level,
		Output:     os.Stderr,
		JSONFormat: true,
	})
}

// stopWithHost waits for the end of the lifeline: the host holds the other end
// of standard input and never writes, so the input ends when the host does,
// however it dies.
func stopWithHost(lifeline io.Reader, stop func()) {
	if os.Getenv(host2plugin.EnvLifeline) != "stdin" {
		return
	}
	// A read error means the same as the end: nobody is there any more.
	_, _ = io.Copy(io.Discard, lifeline)
	stop()
}

func stopOnSignal(stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP)
	<-signals
	stop()
}
