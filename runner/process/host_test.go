//go:build unix

package process

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// playHost starts a plugin with the behaviour that the first argument names,
// calls it and prints its process ID, the directory of its socket, its answer and
// what is on its own standard input. Of a plugin that never answers it prints the
// first two.
func playHost(args []string) int {
	var pool Pool
	defer pool.Close()
	p, err := pool.Start(as("plugin", args...)).Wait(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Printf("%d\n%s\n", p.PID(), p.sockets)
	prompt, err := render(context.Background(), p, patience)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(prompt)
	io.Copy(os.Stdout, os.Stdin)
	return 0
}

func hostCommand(args ...string) *exec.Cmd {
	command := as("host", args...)
	cmd := exec.Command(command.Argv[0], command.Argv[1:]...)
	cmd.Env = append(os.Environ(), undelayed)
	cmd.Stderr = os.Stderr
	return cmd
}

// However the host dies, its plugins end.
func TestPluginEndsWithItsHost(t *testing.T) {
	for _, behaviour := range []string{"good", "tidy"} { // idle, in a call
		t.Run(behaviour, func(t *testing.T) {
			marker := filepath.Join(t.TempDir(), "call")
			host := hostCommand(behaviour, marker)
			if _, err := host.StdinPipe(); err != nil { // it waits for its end
				t.Fatal(err)
			}
			output, err := host.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := host.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { host.Process.Kill(); host.Wait() })
			lines := bufio.NewScanner(output)
			lines.Scan()
			pid, err := strconv.Atoi(lines.Text())
			if err != nil {
				t.Fatal(err)
			}
			lines.Scan()
			sockets := lines.Text()
			if behaviour == "tidy" {
				wait(t, "the call", func() bool { return exists(marker + ".begun") })
			} else {
				lines.Scan() // the answer
			}
			if !groupLives(pid) || !exists(sockets) {
				t.Fatal("the plugin does not run")
			}
			host.Process.Kill()
			host.Wait()
			wantNoGroup(t, pid)
			if exists(sockets) {
				t.Errorf("%s is left", sockets)
			}
			if behaviour == "tidy" && !exists(marker+".ended") {
				t.Error("the plugin could not tidy up")
			}
		})
	}
}

// The plugin has a lifeline for its standard input: the host's input is left
// unread.
func TestHostKeepsItsInput(t *testing.T) {
	host := hostCommand("good")
	host.Stdin = strings.NewReader("typed ahead")
	output, err := host.Output()
	if err != nil {
		t.Fatal(err)
	}
	if printed := string(output); !strings.HasSuffix(printed, "\nprompt\ntyped ahead") {
		t.Errorf("the host has printed %q", printed)
	}
}
