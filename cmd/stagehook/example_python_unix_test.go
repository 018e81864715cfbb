//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/host2plugin"
)

// The plugin in Python ends in each of the ways in which a host or the system asks
// it to, and until then it is healthy.
func TestPythonExampleEnds(t *testing.T) {
	if ok, err := hasPackages("grpc-python"); err != nil {
		t.Fatal(err)
	} else if !ok {
		t.Skip(missingPackages())
	}
	program := generatePython(t)
	for name, end := range map[string]func(*pythonPlugin) error{
		"the host dies":     func(p *pythonPlugin) error { return p.lifeline.Close() },
		"it is terminated":  func(p *pythonPlugin) error { return p.cmd.Process.Signal(syscall.SIGTERM) },
		"the terminal ends": func(p *pythonPlugin) error { return p.cmd.Process.Signal(syscall.SIGHUP) },
		"it is shut down": func(p *pythonPlugin) error {
			return p.conn.Invoke(t.Context(), "/plugin.GRPCController/Shutdown", &emptypb.Empty{}, &emptypb.Empty{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := startPython(t, program)
			health, err := grpc_health_v1.NewHealthClient(p.conn).Check(t.Context(), &grpc_health_v1.HealthCheckRequest{Service: "plugin"})
			if err != nil || health.GetStatus() != grpc_health_v1.HealthCheckResponse_SERVING {
				t.Errorf("health: %v, %v", health, err)
			}
			if err := end(p); err != nil {
				t.Fatal(err)
			}
			if err := p.cmd.Wait(); err != nil { // killed when it does not end
				t.Errorf("%v", err)
			}
		})
	}
}

// generatePython does what the example's comment says, in a folder of its own.
func generatePython(t *testing.T) string {
	dir := t.TempDir()
	example := absolute(t, "..", "..", "examples", "grpc-python")
	protocol := absolute(t, "..", "..", "sdk", "proto", "stagehook", "v1")
	generate := exec.Command("protoc", "-I", protocol, "-I", example, "--python_out="+dir, "plugin.proto", "status.proto")
	if output, err := generate.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	source, err := os.ReadFile(filepath.Join(example, "reviewed.py"))
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "reviewed.py")
	if err := os.WriteFile(program, source, 0o700); err != nil {
		t.Fatal(err)
	}
	return program
}

// pythonPlugin is a process of the plugin, without a host.
type pythonPlugin struct {
	cmd      *exec.Cmd
	lifeline io.Closer
	conn     *grpc.ClientConn
}

func startPython(t *testing.T, program string) *pythonPlugin {
	t.Helper()
	sockets, err := os.MkdirTemp("/tmp", "python") // short enough for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(sockets) })
	cmd := exec.CommandContext(t.Context(), "/usr/bin/python3", program)
	cmd.Env = append(os.Environ(), hook.CookieKey+"="+hook.CookieValue, host2plugin.EnvLifeline+"=stdin",
		"PLUGIN_PROTOCOL_VERSIONS=1", "PLUGIN_UNIX_SOCKET_DIR="+sockets)
	cmd.Stderr = os.Stderr
	lifeline, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() { late.Stop(); _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	fields := strings.Split(strings.TrimSuffix(line, "\n"), "|")
	if err != nil || len(fields) != 5 || filepath.Dir(fields[3]) != sockets {
		t.Fatalf("the handshake is %q: %v", line, err)
	}
	conn, err := grpc.NewClient("unix:"+fields[3], grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &pythonPlugin{cmd, lifeline, conn}
}
