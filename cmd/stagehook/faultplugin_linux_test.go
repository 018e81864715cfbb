package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

func init() { programs["faultplugin"] = func() { os.Exit(faultPlugin(os.Args[1:])) } }

// faultPlugin is a validator with the fault that its first argument names. The second
// is a file to make when it comes to that.
func faultPlugin(args []string) int {
	f := &faulty{args: args, stdout: os.Stdout, stderr: os.Stderr}
	spec := &sdk.Spec{Name: "faultplugin", Version: "1.2.3", Validator: f}
	switch args[0] {
	case "early":
		fmt.Println("starting up")
	case "stopped":
		f.begin()
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	case "observer":
		spec = &sdk.Spec{Name: "faultplugin", Version: "1.2.3", Observer: f}
	}
	return sdk.Serve(spec)
}

type faulty struct {
	args           []string
	stdout, stderr *os.File // the real ones: go-plugin puts others in their place
}

func (f *faulty) Observe(context.Context, *sdk.ObserveRequest) error { return nil }

func (f *faulty) begin() {
	if len(f.args) > 1 {
		_ = os.WriteFile(f.args[1], nil, 0o600) // the test waits for it
	}
}

// Validate does what the fault says, and then answers if it still can.
func (f *faulty) Validate(_ context.Context, req *sdk.ValidateRequest) (*sdk.ValidateResult, error) {
	found := &snapshot.Snapshot{TaskID: req.Task.ID, Command: "/dr-do", RecommendedNext: "/dr-do"}
	if f.args[0] != "replace" {
		f.begin()
	}
	switch f.args[0] {
	case "panic":
		panic("out of cheese")
	case "crash":
		go func() { panic("out of\ncheese") }()
		select {}
	case "exit":
		os.Exit(0)
	case "mute":
		select {}
	case "deaf":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		select {}
	case "stop":
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		select {}
	case "print":
		for _, file := range []*os.File{f.stdout, f.stderr} {
			_, _ = file.Write(bytes.Repeat([]byte{'x'}, 10_000_000))
		}
		os.Exit(3)
	case "disconnect":
		for fd := 3; fd < 1024; fd++ {
			if _, err := syscall.Getsockname(fd); err == nil {
				_ = syscall.Shutdown(fd, syscall.SHUT_RDWR)
			}
		}
		select {}
	case "grandchild", "session":
		f.fork(&syscall.SysProcAttr{Setsid: f.args[0] == "session"})
		os.Exit(3)
	case "big":
		found.Body = make([]byte, 100_000_000)
	case "other task":
		found.TaskID = "OTHER-0001"
	case "replace":
		f.replace()
		os.Exit(3)
	}
	return &sdk.ValidateResult{Verdict: hook.VerdictValid, Path: "elsewhere", Snapshot: found}, nil
}

// fork starts a process that holds this one's outputs and outlives it.
func (f *faulty) fork(attributes *syscall.SysProcAttr) {
	cmd := exec.Command("sleep", "300")
	cmd.SysProcAttr, cmd.Stdout, cmd.Stderr = attributes, f.stdout, f.stderr
	if err := cmd.Start(); err != nil {
		panic(err)
	}
}

// replace puts another program in the place of this one.
func (f *faulty) replace() {
	path := f.args[1]
	if err := os.WriteFile(path+".new", []byte("#!/bin/sh\necho replaced\n"), 0o755); err != nil {
		panic(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		panic(err)
	}
}
